"""`make deb-test` and `make arm64`: the package installed, used and purged in a clean Debian 13 and 12.

Needs root (chroot) and mmdebstrap; for another architecture qemu-user-static with binfmt_misc. Each root is
built once, kept as dist/debianNUMBER-ARCH.tar, and unpacked anew for each run.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.installation.deb import CHECKOUT, DEBIANS, MACHINES, NAMES, build

CPU = "cortex-a72"
"""CPU: the processor of a Raspberry Pi 4, which qemu emulates; its default has instructions that no Pi has."""
CHECK = Path(__file__).parent / "check_in_root.sh"
PACKAGES = "python3,python3-numpy,libzbar0,tmux"
"""PACKAGES: what a family's system has; with the NumPy of Debian, which picamera2 brings along."""
MIRROR = "http://deb.debian.org/debian"
_ENTER = """\
mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/run" &&
mount -t tmpfs tmpfs "$1/tmp" && exec chroot "$1" /bin/sh /check_in_root.sh "$2"
"""


def base(arch: str, debian: str) -> Path:
    """The tar archive of a clean Debian of this number, built if it is not there."""
    kept = CHECKOUT / "dist" / f"debian{debian}-{arch}.tar"
    if not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        print(f"building a Debian {debian} root for {arch}, once", flush=True)
        part = kept.with_suffix(".part.tar")
        made = ["mmdebstrap", "--quiet", "--variant=minbase", f"--arch={arch}", f"--include={PACKAGES}"]
        if subprocess.call([*made, NAMES[debian], str(part), MIRROR]):
            part.unlink(missing_ok=True)
            raise SystemExit(f"mmdebstrap built no Debian {debian} for {arch}: its words stand above")
        part.rename(kept)
    return kept


def missing(arch: str) -> str:
    """What is not there, with the next step; empty if all is."""
    if os.getuid() != 0:
        return "a clean root needs root: sudo make deb-test"
    for tool in ("mmdebstrap", "unshare", "dpkg-deb"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed: apt install mmdebstrap util-linux dpkg"
    if MACHINES[arch] == os.uname().machine:
        return ""
    if not (Path("/proc/sys/fs/binfmt_misc") / f"qemu-{MACHINES[arch]}").exists():
        mounted = "mount binfmt_misc -t binfmt_misc /proc/sys/fs/binfmt_misc"
        needed = "apt install qemu-user-static binfmt-support"
        return f"{arch} cannot be run here: {needed}; in a container also: {mounted}"
    # mmdebstrap asks it whether programs of the other architecture run, and builds nothing without it.
    if shutil.which("arch-test") is None:
        return "arch-test is not installed: apt install arch-test"
    return ""


def used(arch: str, debian: str, package: Path, *, pixels: bool) -> int:
    """Install, use and purge a package in a clean root; the exit status of `check_in_root.sh`."""
    archive = base(arch, debian)
    with tempfile.TemporaryDirectory(prefix="companion-root-") as folder:
        subprocess.run(["tar", "-xf", str(archive), "-C", folder], check=True)
        shutil.copyfile(package, Path(folder) / "companion.deb")
        shutil.copyfile(CHECK, Path(folder) / CHECK.name)
        # Mounts belong to this process alone and go with it, however it ends.
        inside = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private"]
        words = ["sh", "-c", _ENTER, "sh", folder, "pixels" if pixels else ""]
        # Folders of who calls this are none of the player in the root.
        own = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        return subprocess.call([*inside, *words], env={**own, "QEMU_CPU": CPU})


def main() -> int:
    """The exit status: that of the first Debian in which something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arch", choices=sorted(MACHINES), default="amd64")
    parser.add_argument(
        "--debian", choices=tuple(DEBIANS), action="append", help="this one alone; each without"
    )
    parser.add_argument("--pixels", action="store_true", help="also one rehearsal through pixels")
    parser.add_argument("--deb", type=Path, help="this package, not one built now; with one --debian")
    asked = parser.parse_args()
    if lack := missing(asked.arch):
        print(lack, file=sys.stderr)
        return 2
    for debian in asked.debian or tuple(DEBIANS):
        print(f"== Debian {debian} ({NAMES[debian]}), {asked.arch}", flush=True)
        package = asked.deb or build(asked.arch, debian, CHECKOUT / "dist")
        if status := used(asked.arch, debian, package, pixels=asked.pixels):
            print(f"Debian {debian}: something went wrong", file=sys.stderr)
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
