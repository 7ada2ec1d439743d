"""What can be the name of a file; the system's own answer to other names is an exception."""

LONGEST_NAME, LONGEST_PATH = 255, 4095
"""Bytes of a file's name and of a whole path that Linux takes."""


def name_fault(text: str) -> str:
    """Why no file can have this path, in words; empty if one can."""
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        return "a name with letters that are not UTF-8"
    if not text:
        return "the name is empty"
    if "\0" in text:
        return "no name of a file"
    if len(encoded) > LONGEST_PATH or max(map(len, encoded.split(b"/"))) > LONGEST_NAME:
        return f"a name of {len(text)} letters is too long for a file"
    return ""
