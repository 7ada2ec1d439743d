"""`make release`: all that is published of one version, in `dist/vVERSION`, with checksums.

The commit must carry the tag `vVERSION`, and VERSION must be the one in pyproject.toml: wheel, packages and
`companion --version` cannot differ then.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from tools.installation.deb import CHECKOUT, DEBIANS, MACHINES, build, changed, git, version, write_notices

SUMS = "SHA256SUMS"


def refusal(tags: list[str], changes: str, wanted: str) -> str:
    """Why this checkout is not released, and what to do; empty if it is. `changes`: of `git status`."""
    if changes:
        return "there are changes that are not committed: commit or stash them"
    if f"v{wanted}" not in tags:
        there = f" (it has {', '.join(tags)})" if tags else ""
        return f"the commit is not tagged v{wanted}{there}: set the version in pyproject.toml, or the tag"
    return ""


def release(out: Path) -> list[Path]:
    """The files, made in the folder `out`."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(changed())}
    made = [sys.executable, "-m", "hatchling", "build", "-d", str(out), "-t", "sdist", "-t", "wheel"]
    subprocess.run(made, cwd=CHECKOUT, env=environment, check=True, stdout=subprocess.DEVNULL)
    for debian in DEBIANS:
        for arch in MACHINES:
            build(arch, debian, out)
    write_notices("amd64", next(iter(DEBIANS.values())), out)
    files = sorted(path for path in out.iterdir() if path.name != SUMS)
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (out / SUMS).write_text(sums)
    return files


def main() -> int:
    """The exit status."""
    wanted = version()
    tags = git("tag", "--points-at", "HEAD", "v*").split()
    if reason := refusal(tags, git("status", "--porcelain"), wanted):
        print(f"make release: {reason}", file=sys.stderr)
        return 2
    for path in release(CHECKOUT / f"dist/v{wanted}"):
        print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
