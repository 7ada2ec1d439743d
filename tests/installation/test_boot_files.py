"""The folder for a Pi's boot partition: what stands in it, and what its commands do in a machine of files."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tools.installation import boot_files
from tools.installation.boot_files import BOOT, place, run_commands, timezone_here, user_data, write_folder


@pytest.fixture
def package(tmp_path: Path) -> Path:
    path = tmp_path / "companion_0.1.0~git9.0123abcd_arm64_debian13.deb"
    path.write_bytes(b"!<arch>\n")
    return path


def test_the_folder_has_what_cloud_init_reads_and_the_package(tmp_path: Path, package: Path) -> None:
    out = tmp_path / "boot"
    for _ in range(2):  # the second time over the first
        write_folder(out, package, country="DE", language="de", timezone="Europe/Berlin")
    assert {one.name for one in out.iterdir()} == {
        "user-data", "network-config", "meta-data", "README.txt", "companion"}  # fmt: skip
    assert [one.name for one in (out / "companion").iterdir()] == [package.name]
    data = (out / "user-data").read_text()
    assert data.startswith("#cloud-config\n")
    assert "do_wifi_country DE" in data
    assert "\nusers: []\n" in data, "no account that somebody could guess"
    assert (out / "meta-data").read_text().startswith("instance-id: companion-0.1.0-git9.0123abcd\n")
    assert all(b"\r" not in one.read_bytes() for one in out.iterdir() if one.is_file())


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path, package: Path) -> None:
    out = tmp_path / "holiday"
    out.mkdir()
    (out / "picture.jpg").write_bytes(b"x")
    with pytest.raises(SystemExit):
        write_folder(out, package, country="DE", language="de", timezone="")
    assert [one.name for one in out.iterdir()] == ["picture.jpg"]


def machine(tmp_path: Path, *, installs: bool) -> tuple[list[str], Path]:
    """Run the commands of user-data on a machine whose programs only note how they were called.

    Returns what was called, and its boot partition.
    """
    boot, tools, calls = tmp_path / "boot", tmp_path / "bin", tmp_path / "calls"
    (boot / "companion").mkdir(parents=True)
    (boot / "companion" / "one.deb").touch()
    tools.mkdir()
    for name in ("apt-get", "systemctl", "raspi-config", "rfkill", "python3"):
        fails = name in {"raspi-config", "python3"} or (name == "apt-get" and not installs)
        (tools / name).write_text(f'#!/bin/sh\necho {name} "$@" >>{calls}\necho said\nexit {int(fails)}\n')
        (tools / name).chmod(0o755)
    for line in user_data("DE", "de", "").split("runcmd:\n")[1].splitlines():
        command = [word.replace(BOOT, str(boot)) for word in json.loads(line.removeprefix("  - "))]
        done = subprocess.run(
            [word.replace("/tmp/companion-install.log", str(tmp_path / "log")) for word in command],
            env={"PATH": f"{tools}:{os.environ['PATH']}"},
            check=False,
            capture_output=True,
        )
        assert done.returncode == 0 or not installs
    return calls.read_text().replace(str(boot), BOOT).splitlines(), boot


def test_the_commands_install_the_package_and_start_the_service(tmp_path: Path) -> None:
    calls, boot = machine(tmp_path, installs=True)
    assert calls == [
        "raspi-config nonint do_wifi_country DE",
        "rfkill unblock wifi",
        f"apt-get install -y --no-install-recommends {BOOT}/companion/one.deb",
        "systemctl enable companion-host.service",
        "systemctl start --no-block companion-host.service",
        "python3 -c import picamera2",
        "apt-get update",
        "apt-get install -y --no-install-recommends python3-picamera2",
    ]
    assert not (boot / "companion-install.log").exists()


def test_a_failed_installation_says_why_on_the_card(tmp_path: Path) -> None:
    _, boot = machine(tmp_path, installs=False)
    assert (boot / "companion-install.log").read_text() == "said\n"


def test_commands_are_lists_that_no_yaml_reader_misreads() -> None:
    data = user_data("FR", "fr", "Europe/Paris")
    lists = re.findall(r"^  - (\[.*\])$", data, re.MULTILINE)
    assert len(lists) == len(run_commands("FR")) + len(boot_files.BOOT_COMMANDS)
    assert "\t" not in data


@pytest.mark.parametrize(
    ("environment", "found"),
    [
        ({"LANG": "de_AT.UTF-8"}, ("AT", "de")),
        ({"LANG": "pt_BR.UTF-8"}, ("BR", "en")),
        ({"LANG": "C.UTF-8"}, ("", "en")),
        ({"LC_ALL": "fr_CH", "LANG": "de_DE"}, ("CH", "fr")),
        ({}, ("", "en")),
    ],
)
def test_country_and_language_are_those_of_this_machine(
    environment: dict[str, str], found: tuple[str, str]
) -> None:
    assert place(environment) == found


def test_the_time_zone_is_that_of_this_machine(tmp_path: Path) -> None:
    zone = tmp_path / "zoneinfo" / "Europe" / "Rome"
    zone.parent.mkdir(parents=True)
    zone.touch()
    (tmp_path / "localtime").symlink_to(zone)
    assert timezone_here(tmp_path / "localtime") == "Europe/Rome"
    assert timezone_here(tmp_path / "none") == ""


def test_a_country_that_nobody_knows_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for country in ("", "Germany", "DE; rm"):
        monkeypatch.setattr("sys.argv", ["boot_files", "--country", country])
        assert boot_files.main() == 2
        assert "COUNTRY=DE" in capsys.readouterr().err
