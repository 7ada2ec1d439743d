"""Upgrades journal lines of earlier versions to the version that this program writes.

Before version 3 a journal knew one game: its keys are named after that game's beds and princesses.
"""

from typing import Any

import msgspec

VERSION = 3
READABLE = (1, 2, 3)
"""Versions that can be read."""
CHECKED_SINCE = 2
"""The first version whose lines have checksums."""
_RENAMED = {"open": {"princesses": "names"}, "contradicted": {"bed": "subject"}}
"""Kind of line (`j`) -> key before version 3 -> key since version 3."""


def upgraded(line: bytes) -> bytes:
    """A line (JSON, without its checksum) of a version before 3, in the words of this version.

    ValueError (msgspec.DecodeError) if it is no JSON object.
    """
    raw = msgspec.json.decode(line, type=dict[str, Any])
    for old, new in _RENAMED.get(raw.get("j", ""), {}).items():
        if old in raw:
            raw[new] = raw.pop(old)
    if raw.get("j") == "open" and raw.pop("silent", False):
        raw["options"] = ["silent"]
    if isinstance(raw.get("o"), list):
        raw["o"] = [_statement(seen) if isinstance(seen, dict) else seen for seen in raw["o"]]
    return msgspec.json.encode(raw)


def _statement(seen: dict[str, Any]) -> dict[str, Any]:
    """A claim by key, or a player's statement about a mattress, as a manual entry of version 3."""
    match seen:
        case {"what": "claim", "args": {"bed": int(bed)}}:
            return {**seen, "args": {"station": f"bed {bed}"}}
        case {"what": "felt", "args": {"bed": int(bed), "smooth": bool(smooth)}}:
            told = " ".join(filter(None, ("smooth" if smooth else "", f"{bed}" if bed else "")))
            return {**seen, "what": "told", "args": {"id": told}}
    return seen
