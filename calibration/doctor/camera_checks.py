"""Judges a camera's picture: mat, focus, exposure, flicker, cards.

OpenCV is imported inside functions, so that a broken OpenCV can be reported. Bounds are those of the camera's
setup step.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.camera_height import in_words
from calibration.doctor.probes import CameraLook
from calibration.wizard.step_result import Check, Verdict, rate
from companion.core.config import Config
from companion.core.language import text
from companion.core.sensor_terms import place_name
from companion.games.registry import first_variant, load_configured, mats_by_marker
from companion.sensing.parameters import PICTURE

if TYPE_CHECKING:
    from vision.mat.mat_finder import Registration
    from vision.reasons import Reason
    from vision.scene.camera_reports import PictureQuality

FLICKER_GOOD, FLICKER_USABLE = 1.0, 3.0
"""Greatest strength (%) of a lamp's bands at which flicker is good, or usable. Guesses."""
LOOKS = 24
"""LOOKS: number of times that the last picture is shown to vision, which then takes the table to be at rest. A
guess."""
MODULE_PX = 1.0
"""Least width (px) of a QR code's cell (module) that is read in ordinary light.

Measured on rendered pictures.
"""
_MAT_FIX = text("lay it under the camera, its corners in the picture; companion sheets prints it")
_EXPOSE = "v4l2-ctl -c auto_exposure=1 -c exposure_time_absolute=N"


@dataclass(frozen=True, slots=True)
class TableSeen:
    """Findings of vision in one picture of the table."""

    registration: "Registration | None"
    """Place of the mat in the picture; None if no mat was found."""
    why: "Reason | str"
    """Reason that vision gave last: why no mat was found, or how one was."""
    quality: "PictureQuality | None"
    """Sharpness and brightness of the mat's markers; None if they could not be measured."""
    level: float
    """Mean grey level of the picture (0 to 255)."""
    sharpest_px: float
    """Width (px) of the sharpest edges in the picture; 0.0 if a mat was found."""
    middle: tuple[float, float]
    """Middle of the mat (mm)."""
    markers: int
    """Number of the mat's corner markers; 0 on a table without a mat."""
    cards: tuple[tuple[str, str], ...]
    """Code and zone of each card that is read."""
    heights: str
    """Sentence with the least camera heights over this mat."""
    scales: tuple[float, ...] = ()
    """Pixels per mm at the mat's corners."""

    @property
    def dark(self) -> bool:
        """True if the mat was not found and the picture is too dark."""
        from calibration.wizard.steps.camera_step import DARK

        return self.registration is None and self.level < DARK

    @property
    def blurred(self) -> bool:
        """True if the mat was not found and the picture is blurred, but not too dark."""
        from calibration.wizard.steps.camera_step import BLURRED_PX

        return self.registration is None and not self.dark and self.sharpest_px > BLURRED_PX


def look_at_table(look: CameraLook, settings: Config) -> TableSeen:
    """Find mat and cards in the camera's last picture.

    BadInputError if the lens was measured with another picture size.
    """
    from companion.sensing.camera_source import measured
    from companion.sensing.open_sources import home_in
    from vision.camera.frames import Frame
    from vision.codes.sticker_set import Tags
    from vision.mat.marker_quality import sharpest_edges_px
    from vision.scene.camera_pipeline import Vision
    from vision.scene.camera_reports import CameraState
    from vision.scene.card_tracks import Presence

    game = load_configured(settings.game, settings.parts)
    variant = first_variant(game, settings.variant)
    mat, gray = game.mat(variant), look.picture
    vision = Vision(
        mat,
        Tags.of(game.cards(variant)),
        lens=measured(settings.lens),
        mat_names=mats_by_marker,
        home=home_in(settings.home),
    )
    seen = [one for n in range(LOOKS) for one in vision.feed(Frame(n / 15, gray))]
    states = [one.detail for one in seen if isinstance(one, CameraState)]
    found = vision.registration
    return TableSeen(
        registration=found,
        why=states[-1] if states else text("mat not found"),
        quality=vision.quality,
        level=float(gray.mean()),
        sharpest_px=sharpest_edges_px(gray) if found is None else 0.0,
        middle=(mat.w / 2, mat.h / 2),
        markers=0 if settings.home else len(mat.markers),
        heights=in_words(mat),
        scales=() if found is None else tuple(found.px_per_mm(one.x, one.y) for one in mat.markers),
        cards=tuple((t.card.code, t.zone) for t in vision.tracks if t.presence is Presence.IN_SIGHT),
    )


def camera(look: CameraLook, spec: str) -> Check:
    """Report a camera that delivers pictures.

    `spec`: the camera. The check's number is the width of its pictures (px).
    """
    return Check(
        "camera",
        Verdict.GOOD,
        look.info.width,
        "px wide",
        text("{where}: {what}", where=spec, what=look.detail),
    )


def pictures(look: CameraLook) -> Iterable[Check]:
    """Check the camera's frame rate, and report each fault of its picture."""
    from companion.sensing.picture_health import FAULT_WORDS
    from vision.scene.picture_faults import BLINDING, PictureFault

    rate_hz = None if look.rate_hz is None else round(look.rate_hz, 1)
    for fault in look.faults:
        said, fix = FAULT_WORDS[fault]
        verdict = Verdict.NOT_GOOD if fault in BLINDING else Verdict.USABLE
        number, unit = (rate_hz, "a second") if fault is PictureFault.SLOW else (None, "")
        if fault is PictureFault.FROZEN:
            # A camera that repeats old bytes looks like a still table, so only a hand tells.
            verdict, said = Verdict.USABLE, text("no pixel of the picture has changed in five seconds")
            fix = text("move a hand over the table, look again; if it stays so: {fix}", fix=fix)
        yield Check("picture", verdict, number, unit, said, fix, fault.value)
    if not look.faults:
        said = text("alive, wide, large enough") if rate_hz is not None else text("wide, large enough")
        yield Check("picture", Verdict.GOOD, rate_hz, "" if rate_hz is None else "a second", said)


def mat(seen: TableSeen) -> Check:
    """Check that the mat was found in the picture.

    It names the smallest sticker that is read at this scale.
    """
    from calibration.wizard.steps.camera_step import TILT_HELP, tilt
    from companion.sensing.vision_words import MIRROR_HELP, MIRRORED, words_of
    from vision.codes.sticker_set import STICKER_MODULES
    from vision.reasons import MatOfOtherGame, Simple

    found, fix = seen.registration, text("{what}; {next_step}", what=_MAT_FIX, next_step=seen.heights)
    if seen.dark or seen.blurred:
        return Check(
            "mat", Verdict.NOT_TESTED, said=text("too dark to see") if seen.dark else text("too blurred to see")
        )
    if found is None:
        if seen.why is Simple.MIRRORED:
            return Check("mat", Verdict.NOT_GOOD, said=MIRRORED, fix=MIRROR_HELP, fault="mirrored picture")
        fault = "another mat" if isinstance(seen.why, MatOfOtherGame) else "mat not whole"
        return Check("mat", Verdict.NOT_GOOD, said=words_of(seen.why), fix=fix, fault=fault)
    if seen.scales and (tilted := tilt(seen.scales)):
        worst = round(min(seen.scales), 2)
        return Check("mat", Verdict.USABLE, worst, "px/mm", tilted, TILT_HELP, "tilted camera")
    scale = found.px_per_mm(*seen.middle)
    least = math.ceil(STICKER_MODULES * MODULE_PX / scale)
    said = text(
        "found by {markers} markers, {words}, stickers from {least} mm on are read",
        markers=found.markers,
        words=words_of(found.summary),
        least=least,
    )
    if not seen.markers:
        said = text(
            "no mat; table found where it was, {words}, stickers from {least} mm on are read",
            words=words_of(found.summary),
            least=least,
        )
    if found.markers < seen.markers:
        return Check("mat", Verdict.USABLE, round(scale, 2), "px/mm", said, fix, "mat not whole")
    return Check("mat", Verdict.GOOD, round(scale, 2), "px/mm", said)


def focus(seen: TableSeen) -> Check:
    """Check the sharpness of the picture, by the width (px) of the markers' edges."""
    from calibration.wizard.steps.camera_step import SHARP_PX
    from companion.sensing.vision_words import FOCUS_HELP
    from vision.camera.settings_plan import Exposure

    if seen.blurred:
        width = round(seen.sharpest_px, 1)
        said = text("the picture is so blurred that no mat is seen")
        return Check("focus", Verdict.NOT_GOOD, width, "px", said, FOCUS_HELP, "soft lens")
    if seen.quality is None:
        return Check("focus", Verdict.NOT_TESTED, said=_unmeasured(seen))
    width = round(seen.quality.edge_px, 2)
    if Exposure(seen.quality.black, seen.quality.white).clipped:
        # Overexposed edges bleed, so their width says nothing about the lens.
        return Check("focus", Verdict.NOT_TESTED, width, "px", text("overexposed edges tell nothing"))
    level = rate(width, SHARP_PX, PICTURE.soft_px)
    soft = level is not Verdict.GOOD
    said = text("width of edges at the markers")
    return Check("focus", level, width, "px", said, FOCUS_HELP if soft else "", "soft lens" if soft else "")


def _unmeasured(seen: TableSeen) -> str:
    """Sentence that says why focus and exposure were not measured."""
    if not seen.markers:
        return text("no mat: the step camera of companion setup measures it at four cards")
    return text("no marker of the mat in sight")


def exposure(seen: TableSeen) -> Check:
    """Check the exposure of the picture, by the markers' black and white levels."""
    from vision.camera.settings_plan import Exposure

    unit = "white level"
    if seen.dark:
        said = text("the picture is so dark that no mat is seen")
        return Check(
            "exposure", Verdict.NOT_GOOD, round(seen.level), "mean level", said, text("more light"), "too dark"
        )
    if seen.quality is None:
        return Check("exposure", Verdict.NOT_TESTED, said=_unmeasured(seen))
    black, white = round(seen.quality.black), round(seen.quality.white)
    levels = text("black {black}, white {white} of 255", black=black, white=white)
    judged = Exposure(seen.quality.black, seen.quality.white)
    if judged.clipped:
        fix = text("less light, or a shorter exposure: {command}", command=_EXPOSE)
        said = text("overexposed: {levels}", levels=levels)
        return Check("exposure", Verdict.NOT_GOOD, white, unit, said, fix, "overexposed")
    if judged.dim:
        fix = text("more light, or a longer exposure: {command}", command=_EXPOSE)
        return Check("exposure", Verdict.NOT_GOOD, white, unit, levels, fix, "too dark")
    return Check("exposure", Verdict.GOOD, white, unit, levels)


def flicker(look: CameraLook) -> Check:
    """Check for bands of a flickering lamp; NOT_TESTED with too few pictures."""
    from companion.sensing.camera_source import FLICKER_HELP

    if look.flicker is None:
        return Check("flicker", Verdict.NOT_TESTED, said=text("too few pictures to tell"))
    strength = round(100 * look.flicker, 1)
    level = rate(strength, FLICKER_GOOD, FLICKER_USABLE)
    if level is Verdict.GOOD:
        return Check("flicker", level, strength, "%", text("the light is steady"))
    return Check(
        "flicker", level, strength, "%", text("bands run through the picture"), FLICKER_HELP, "flicker"
    )


def locks(look: CameraLook) -> Check:
    """Check that the camera holds focus, exposure and white balance.

    A setting that the camera changes by itself may change whenever a hand enters the picture.
    """
    from companion.sensing.vision_words import setting_called, words_of

    refused = look.info.refused
    if not refused:
        return Check(
            "camera settings",
            Verdict.GOOD,
            0,
            "refused",
            words_of(look.info.note) or text("nothing was refused"),
        )
    said = text("the camera does not hold these: {settings}", settings=tuple(map(setting_called, refused)))
    fix = text("v4l2-ctl --list-ctrls shows what it can hold; another camera, if the light changes much")
    return Check("camera settings", Verdict.USABLE, len(refused), "refused", said, fix, "settings not held")


def cards(seen: TableSeen) -> Iterable[Check]:
    """Report the cards that are read now; an empty table is no fault."""
    if seen.registration is not None:
        listed = tuple(text("{code} ({zone})", code=code, zone=place_name(zone)) for code, zone in seen.cards)
        said = text("{cards}", cards=listed) if listed else text("an empty table")
        yield Check("cards", Verdict.GOOD, len(seen.cards), "in sight", said)
