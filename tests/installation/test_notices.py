"""The licences in a package: each library tells its own, or the package is not made."""

from pathlib import Path

import pytest

from tools.installation.notices import notices


def library(place: Path, name: str, about: str, text: str = "") -> None:
    info = place / f"{name}-1.0.dist-info"
    (info / "licenses").mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{about}")
    record = [f"{info.name}/METADATA,,"]
    if text:
        (info / "licenses/LICENSE.txt").write_text(text)
        record.append(f"{info.name}/licenses/LICENSE.txt,,")
    (info / "RECORD").write_text("\n".join(record))


def test_each_library_is_named_with_its_licence_and_its_text(tmp_path: Path) -> None:
    library(tmp_path, "one_lib", "License-Expression: MIT\n", "As one likes.\n")
    library(tmp_path, "two", "Classifier: License :: OSI Approved :: BSD License\nHome-page: https://two\n")
    library(tmp_path, "not_shipped", "License: Secret\n")
    text = notices(tmp_path, ["two", "one-lib"])
    assert text.startswith("companion\n\nMIT License")
    assert "one_lib 1.0: MIT\n\nAs one likes.\n" in text
    assert "two 1.0: BSD License\nIts wheel has no text of it; see https://two.\n" in text
    assert "Secret" not in text


def test_what_says_nothing_of_its_licence_is_not_shipped(tmp_path: Path) -> None:
    library(tmp_path, "silent", "")
    with pytest.raises(SystemExit, match="silent says nothing of its licence"):
        notices(tmp_path, ["silent"])
    with pytest.raises(SystemExit, match="has no other"):
        notices(tmp_path, ["other"])
