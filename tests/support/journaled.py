"""Copies of an object with a session that writes a journal, so that several tests go on from one beginning."""

import io
import pickle
from pathlib import Path
from typing import Any, NamedTuple

from companion.session.journal.journal import Journal


class Beginning(NamedTuple):
    """The fields of an object, and the journal that it has written so far."""

    fields: bytes
    journal: bytes


class _Pickler(pickle.Pickler):
    def persistent_id(self, obj: object) -> str | None:
        """Keep the open journal out: every copy has a file of its own."""
        return "journal" if isinstance(obj, Journal) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, journal: Journal | None) -> None:
        super().__init__(file)
        self._journal = journal

    def persistent_load(self, pid: str) -> Journal | None:
        assert pid == "journal"
        return self._journal


def beginning(of: object, path: Path | None) -> Beginning:
    """What `copy` takes; `path` is the journal's, None where none is written."""
    fields = io.BytesIO()
    _Pickler(fields).dump(vars(of))
    return Beginning(fields.getvalue(), b"" if path is None else path.read_bytes())


def copy(of: Beginning, path: Path | None) -> dict[str, Any]:
    """The fields again, with a journal at `path` that goes on where the first one stood, or without any."""
    journal = None
    if path is not None:
        path.write_bytes(of.journal)
        journal = Journal(path, sync=False, resume=True)
    fields: dict[str, Any] = _Unpickler(io.BytesIO(of.fields), journal).load()
    return fields
