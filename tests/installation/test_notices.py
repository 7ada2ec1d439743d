"""The licences in a package: each library tells its own, or the package is not made."""

import re
from pathlib import Path

import pytest

from tools.installation.notices import copyright_file, notices


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


def test_the_copyright_file_has_a_paragraph_for_each_library_that_debian_reads(tmp_path: Path) -> None:
    mit = (
        "MIT License\n\n * Copyright (c) 2019 Ann\n\nThe above copyright notice shall be included. 2 of them.\n"
    )
    library(tmp_path, "one_lib", "License-Expression: MIT\n", mit)
    library(tmp_path, "two", "License: Apache 2.0\nAuthor: Ben\n")
    paragraphs = [
        dict(re.findall(r"^(\S+): ?((?:.*)(?:\n .*)*)", one, re.MULTILINE))
        for one in copyright_file(tmp_path, ["two", "one-lib"], "usr/lib/x").strip().split("\n\n")
    ]
    head, own, one, two = paragraphs
    assert head["Format"] == "https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
    assert own["Files"] == "*"
    assert own["License"].startswith("Expat\n MIT License\n .\n")
    assert own["Copyright"].startswith("Copyright (c) 20")
    assert one["Files"] == "usr/lib/x/one_lib-1.0.dist-info/*"
    assert one["Copyright"] == "Copyright (c) 2019 Ann"
    assert one["License"].startswith("MIT-of-one-lib\n MIT License\n .\n  * Copyright")
    assert two["Copyright"] == "Ben"
    assert two["License"].startswith("Apache-2.0-of-two\n See")
