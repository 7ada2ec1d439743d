"""What `make install` tells the system: manual, completion, units, menu entry; uninstall keeps games."""

import gzip
import re
import shlex
import shutil
import subprocess
from configparser import ConfigParser
from datetime import UTC, datetime
from pathlib import Path

import click
import pytest

from companion.cli import cli
from tools.installation.install import CHECKOUT, UDEV_RULE, Places, install, next_steps, uninstall
from tools.installation.system_files import in_menu_entry, in_unit, system_files

COMMAND = "/opt/a place/bin/companion"
CHANGED = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return dict(system_files(COMMAND, packaged=True, changed=CHANGED))


def test_every_command_has_a_manual_page_with_all_its_options(files: dict[str, bytes]) -> None:
    top = click.Context(cli, info_name="companion")
    for name in cli.list_commands(top):
        command = cli.get_command(top, name)
        assert command is not None
        page = gzip.decompress(files[f"share/man/man1/companion-{name}.1.gz"]).decode().replace("\\-", "-")
        assert page.startswith(f'.TH COMPANION-{name.upper()} 1 "2026-01-02"')
        for option in command.params:
            if getattr(option, "hidden", False):
                continue  # what one part of the program says to another
            assert all(spelt in page for spelt in option.opts if spelt.startswith("-"))


def test_no_line_of_a_page_is_taken_for_a_request(files: dict[str, bytes]) -> None:
    requests = re.compile(r"\.(TH|SH|TP|PP|B)\b")
    for path, content in files.items():
        if "/man1/" in path:
            lines = gzip.decompress(content).decode().splitlines()
            assert all(requests.match(line) for line in lines if line[:1] in {".", "'"}), path


def test_units_and_menu_entry_start_commands_that_exist(files: dict[str, bytes]) -> None:
    started = []
    for path, content in files.items():
        if path.endswith((".service", ".desktop")):
            read = ConfigParser(interpolation=None, strict=False)
            read.optionxform = str
            read.read_string(content.decode())
            section = "Service" if path.endswith(".service") else "Desktop Entry"
            line = read[section]["ExecStart" if section == "Service" else "Exec"]
            assert shlex.split(line)[0] == COMMAND
            started.append(shlex.split(line)[1])
    assert {"run", "play"} <= set(started) <= set(cli.list_commands(click.Context(cli)))


def test_uninstall_removes_what_is_listed_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda _name: None)  # no service manager is asked
    places = Places(tmp_path)
    page, other = tmp_path / "share/man/man1/companion.1.gz", tmp_path / "share/man/man1/other.1.gz"
    journal = tmp_path / "state/companion/journals/game.jsonl"
    for what in ("config", "data", "state"):
        monkeypatch.setenv(f"XDG_{what.upper()}_HOME", str(tmp_path / what))
    for path in (page, other, journal, places.program / "bin/companion"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("kept?")
    places.manifest.write_text(f"{page}\n")
    places.command.parent.mkdir()
    places.command.symlink_to(places.program / "bin/companion")
    assert uninstall(places) == 0
    kept = capsys.readouterr().out.splitlines()[1:3]
    assert kept[1:] == [f"  journals: {tmp_path / 'state/companion'}"], "only what is there, where it is"
    assert not page.exists()
    assert not places.command.is_symlink()
    assert not places.program.exists()
    assert other.exists()
    assert journal.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["share", "state"], "no empty folder is left"
    assert uninstall(places) == 0
    assert "not installed" in capsys.readouterr().out


def test_a_prefix_with_a_space_is_named_so_that_a_shell_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("subprocess.call", lambda *_asked, **_how: 0)
    places = Places(tmp_path / "a place")
    places.program.mkdir(parents=True)
    said = list(next_steps(places))
    assert said[-1].endswith(f"make uninstall PREFIX='{places.prefix}'")
    assert f"systemctl --user link '{places.prefix}/share/systemd/user'/*.service && " in said[-2]
    assert "add that line to ~/.profile" in said[0]
    assert any(f"install -m 644 '{places.program}/" in line for line in said) or UDEV_RULE.exists()
    asked = subprocess.run(
        ["make", "--dry-run", "uninstall", f"PREFIX={places.prefix}"],
        cwd=CHECKOUT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert f'--prefix "{places.prefix}"' in asked.stdout


@pytest.mark.parametrize(("user", "named"), [(0, " PREFIX="), (1000, "")])
def test_the_way_to_remove_names_a_prefix_that_is_not_this_users(
    user: int, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("os.getuid", lambda: user)
    monkeypatch.setattr("subprocess.call", lambda *_asked, **_how: 0)
    places = Places(tmp_path / ".local")
    places.program.mkdir(parents=True)
    said = list(next_steps(places))
    assert said[-1].endswith(f"make uninstall{named and named + str(places.prefix)}")


def test_a_foreign_command_is_never_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places = Places(tmp_path)
    places.command.parent.mkdir()
    places.command.write_text("#!/bin/sh\n")
    assert install(places) == 2
    assert str(places.command) in capsys.readouterr().out
    assert places.command.read_text() == "#!/bin/sh\n"
    assert not places.program.exists()
    uninstall(places)
    assert places.command.exists()


def test_what_needs_root_is_only_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.installation.install.UDEV_RULE", tmp_path / "no.rules")
    monkeypatch.setattr("subprocess.call", lambda *_asked, **_how: 1)  # no zbar
    places = Places(tmp_path)
    places.program.mkdir(parents=True)
    said = list(next_steps(places))
    root = [line for line in said if line.startswith("  sudo ")]
    assert any("no.rules" in line for line in root)
    assert any("libzbar0" in line for line in root)
    assert not (tmp_path / "no.rules").exists()


def test_the_service_of_the_machine_may_do_no_more_than_it_needs(files: dict[str, bytes]) -> None:
    unit = files["lib/systemd/system/companion-host.service"].decode()
    for line in ("User=companion", "NoNewPrivileges=yes", "StandardOutput=tty", "TTYPath=/dev/tty8"):
        assert f"\n{line}\n" in unit
    assert "u companion - " in files["lib/sysusers.d/companion.conf"].decode()
    allowed = re.findall(r'"(org\.\S+)"', files["share/polkit-1/rules.d/60-companion.rules"].decode())
    prefix = "org.freedesktop.NetworkManager."
    assert {one.removeprefix(prefix) for one in allowed} == {
        "network-control", "settings.modify.system", "wifi.scan", "wifi.share.protected"}  # fmt: skip
    reset = files["lib/systemd/system/companion-reset.service"].decode()
    assert "Before=companion-host.service" in reset
    assert reset.count("/boot/firmware/companion-reset") == 4
    assert not [
        path for path in dict(system_files(COMMAND, packaged=False, changed=CHANGED)) if "system/" in path
    ]


@pytest.mark.parametrize(
    ("command", "unit", "menu_entry"),
    [
        ("/usr/bin/companion", "/usr/bin/companion", "/usr/bin/companion"),
        ("/a place/companion", '"/a place/companion"', '"/a place/companion"'),
        ("/100%/companion", '"/100%%/companion"', '"/100%%/companion"'),
        ('/a"$b/companion', r'"/a\"$b/companion"', r'"/a\\"\\$b/companion"'),
    ],
)
def test_a_path_is_quoted_as_units_and_menu_entries_want_it(command: str, unit: str, menu_entry: str) -> None:
    assert (in_unit(command), in_menu_entry(command)) == (unit, menu_entry)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_starts_a_program_in_a_folder_with_a_blank(tmp_path: Path) -> None:
    program = tmp_path / "a place" / "companion"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "companion.service"
    found = system_files(str(program), packaged=False, changed=CHANGED)
    unit.write_bytes(next(content for path, content in found if path.endswith("/companion.service")))
    asked = ["systemd-analyze", "verify", "--man=no", str(unit)]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stderr
    assert "companion.service: " not in said


HARDENED = {
    "NoNewPrivileges": "yes",
    "PrivateTmp": "yes",
    "ProtectSystem": "strict",
    "RestrictNamespaces": "yes",
    "SystemCallArchitectures": "native",
    "UMask": "0077",
}
MOST_EXPOSED = 45
"""MOST_EXPOSED: exposure (tenths) that `systemd-analyze security` may find."""


def units(files: dict[str, bytes]) -> dict[str, str]:
    """Name of each unit -> its text."""
    return {path.rpartition("/")[2]: text.decode() for path, text in files.items() if path.endswith(".service")}


def test_every_service_is_hardened_and_may_write_where_it_must(files: dict[str, bytes]) -> None:
    found = units(files)
    assert len(found) == 6
    for name, unit in found.items():
        lines = unit.splitlines()
        assert {key: value for key, value in HARDENED.items() if f"{key}={value}" not in lines} == {}, name
        assert "SystemCallFilter=@system-service" in lines, name
        own = "/var/lib/companion" if name in ("companion-host.service", "companion-reset.service") else "%h %t"
        assert f"ReadWritePaths={own}" in lines, name
        # Camera and board are devices: a service that closed all of them would see no table.
        assert ("PrivateDevices=yes" in lines) == (name == "companion-reset.service"), name


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_finds_no_service_exposed(files: dict[str, bytes], tmp_path: Path) -> None:
    for name, unit in units(files).items():
        (tmp_path / name).write_text(unit)
        asked = ["systemd-analyze", "security", "--offline=yes", f"--threshold={MOST_EXPOSED}", "--no-pager"]
        done = subprocess.run([*asked, str(tmp_path / name)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, (name, done.stdout.splitlines()[-1:], done.stderr)


def test_the_engine_s_services_go_on_with_the_last_game(files: dict[str, bytes]) -> None:
    found = units(files)
    assert f'\nExecStart="{COMMAND}" run --resume\n' in found["companion.service"]
    assert f'\nExecStart="{COMMAND}" run --at "%I" --resume\n' in found["companion@.service"]
