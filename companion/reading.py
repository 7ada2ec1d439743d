"""`companion read`: what the camera's code finds in pictures."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.errors import BadInputError

if TYPE_CHECKING:
    from vision.pictures import Picture
    from vision.reading import Reading


@click.command()
@click.argument("images", nargs=-1, required=True, metavar="IMAGE...", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--annotate",
    "out",
    metavar="OUT",
    type=click.Path(path_type=Path),
    help="Write the picture with all findings outlined; a folder if there are several pictures.",
)
def read(images: tuple[Path, ...], as_json: bool, out: Path | None) -> None:
    """Read every code and marker in pictures.

    Corners are pixels of the upright picture, clockwise from the code's own upper left. Pictures that
    cannot be read are named, the others read all the same; the exit status then is 2.
    """
    # Loading OpenCV takes longer than all the rest of the command line.
    from vision.pictures import load_picture, read_all, shown

    if out is not None and len(images) > 1 and not out.is_dir():
        raise BadInputError(
            "several pictures need a folder", where=shown(out), next_step="make it, or name one"
        )
    if out is not None and any(out.exists() and image.exists() and out.samefile(image) for image in images):
        raise BadInputError("is the picture itself", where=shown(out), next_step="annotate into another file")
    reports: list[dict[str, Any]] = []
    failed = False
    for image in images:
        try:
            picture = load_picture(image)
            found = read_all(picture)
            if out is not None:
                _write(out / f"{image.stem}-read.png" if out.is_dir() else out, picture, found)
        except BadInputError as error:
            failed = True
            reports.append({"file": shown(image), "error": str(error), "codes": [], "markers": []})
            click.echo(f"companion: {error}", err=True)
            continue
        reports.append(_report(shown(image), picture, found))
        if not as_json:
            _print(reports[-1])
    if as_json:
        click.echo(json.dumps({"pictures": reports}))
    if failed:
        raise SystemExit(2)


def _report(name: str, picture: "Picture", found: "Reading") -> dict[str, Any]:
    def points(corners: tuple[tuple[float, float], ...]) -> list[list[float]]:
        return [[round(x, 1), round(y, 1)] for x, y in corners]

    return {
        "file": name,
        "width": picture.width,
        "height": picture.height,
        "codes": [
            {"text": c.text, "sticker": c.payload is not None, "corners": points(c.corners), "stage": c.stage}
            for c in found.codes
        ],
        "markers": [{"id": m.id, "corners": points(m.corners), "stage": m.stage} for m in found.markers],
    }


def _print(report: dict[str, Any]) -> None:
    codes, markers = report["codes"], report["markers"]
    click.echo(
        f"{report['file']}: {report['width']} x {report['height']} px, "
        f"{len(codes)} codes, {len(markers)} markers"
    )
    for code in codes:
        click.echo(f"  code    {code['text']}  at {_place(code)}, {code['stage']}")
    for marker in markers:
        click.echo(f"  marker  {marker['id']}  at {_place(marker)}, {marker['stage']}")


def _place(found: dict[str, Any]) -> str:
    xs, ys = zip(*found["corners"], strict=True)
    return f"{sum(xs) / 4:.0f}, {sum(ys) / 4:.0f}"


def _write(path: Path, picture: "Picture", found: "Reading") -> None:
    import cv2

    from vision.pictures import annotated, shown

    suffix = path.suffix.lower() if path.suffix.lower() in (".png", ".jpg", ".jpeg", ".webp") else ""
    if not suffix:
        raise BadInputError("no kind of picture", where=shown(path), next_step="end the name in .png or .jpg")
    data = cv2.imencode(suffix, annotated(picture, found))[1]
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise BadInputError(
            error.strerror or "cannot be written", where=shown(path), next_step="name another file"
        ) from error
