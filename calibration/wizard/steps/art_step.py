"""Setup step: teach the camera the cards' printed pictures.

The cards have no stickers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table_place import table_in
from calibration.wizard.setup_bench import Mark, SetupBench
from calibration.wizard.setup_requests import (
    ClearTable,
    ConfirmOrder,
    LayInOrder,
    LayLeftOut,
    LeaveOut,
    NameLacking,
)
from calibration.wizard.step_result import Check, StepResult, Verdict, result_of, skipped
from companion.core.errors import BadInputError
from companion.core.language import listed, localized, plural, text
from companion.games.appearance import PhysicalCard
from companion.sensing.vision_words import in_words
from vision.art.art_book import book_bytes, book_of
from vision.art.art_light import lifted
from vision.art.art_match import ArtView
from vision.art.art_on_mat import LiveArt
from vision.art.art_plane import card_sides
from vision.art.art_recogniser import ArtBook, Image
from vision.art.quad_finder import Points
from vision.art.row_enrolment import cards_apart, cards_laid, confusions, enrol_rows
from vision.codes.sticker_set import Gray
from vision.mat.registration import Registration
from vision.mat.straight_views import from_above
from vision.mat_geometry import Zone

NAME = "art"
LOOKS = 4
"""Number of pictures whose mean is taken, which halves the noise."""
STEADY_LOOKS = 8
"""Most times that the pictures are taken again while something moves. A guess. This takes a second or two."""
CELL_PX, MOVED_LEVELS, MOVED_SHARE = 8, 10.0, 0.002
"""CELL_PX: side (px) of the squares whose mean brightness is compared. MOVED_LEVELS: change (of 255) from
which a square has changed, not only by noise. MOVED_SHARE: share of changed squares from which something
moved. A card covers some 0.009 of them. The first two are guesses."""
AROUND_MM = 8.0
"""Width (mm) of table around a card in which the card is searched once more. A guess."""
REFUSED_MOST = 4
"""Number of refused photographs in a row after which the step ends. A guess."""
ASKED_LETTERS = 210
"""Most letters of the names of cards asked for at one time. A guess: nobody reads more."""
NAMED_MOST = 4
"""Number of kinds, or pairs of kinds, named in one sentence. Further ones are only counted."""


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Picture (BGR) of cards that lie in rows.

    `outlines` are the cards' corners (4 x 2 px each), row by row. `short_mm` is the short side (mm) of the
    first card.
    """

    picture: Image
    outlines: list[Points]
    short_mm: float


@dataclass(frozen=True, slots=True)
class Shown:
    """Result of showing kinds of cards to the camera.

    `learned`: number of learned kinds. `unseen`: kinds that the camera does not recognise afterwards.
    `left_out`: kinds that were not laid, or whose photographs were all refused.
    """

    learned: int
    unseen: list[str]
    left_out: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Mat as it lies empty, before cards are laid on it.

    `placed` is its registration (place in the picture), `empty` its picture (BGR) from above at `scale` px/mm.
    """

    placed: Registration
    scale: float
    empty: Image


def rounds_of(cards: Iterable[PhysicalCard]) -> list[list[str]]:
    """Group kinds of cards in the order in which people lay them.

    Things of a similar size are together: outlines unlike the others are not taken for cards. Kinds whose
    names differ only after a comma are sides of one thing. They are in different groups, because only one side
    shows at a time.
    """
    rounds: dict[tuple[bool, bool, bool, int], list[str]] = {}
    told: set[str] = set()
    sides: dict[str, int] = {}
    for card in cards:
        if card.kind in told:
            continue
        told.add(card.kind)
        thing = card.name.partition(",")[0]
        side = sides[thing] = sides.get(thing, -1) + 1
        group = (card.marker is not None, card.small, card.texture is not None, side)
        rounds.setdefault(group, []).append(card.kind)
    return [rounds[key] for key in sorted(rounds)]


def called(kind: str, name: str) -> str:
    """Name of a kind of card for people.

    Its number if the kind is one, else the card's `name`.
    """
    return kind if kind.isdecimal() else name


def asked_for(kinds: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """Choose the first of some kinds of cards, to be asked for at one time.

    `names`: kind -> name. The names have at most 210 letters together, but one kind is always chosen.
    """
    letters = accumulate(len(names[kind]) + 3 for kind in kinds)
    return tuple(
        kind
        for n, (kind, all_of) in enumerate(zip(kinds, letters, strict=True))
        if not n or all_of <= ASKED_LETTERS
    )


def enrol_art(bench: SetupBench, photographs: Sequence[Image] = (), short_mm: float = 0.0) -> StepResult:
    """Teach the camera all kinds of cards by their printed pictures.

    The result's number counts known kinds. Pictures come from the rig's camera, or from `photographs` (BGR) of
    cards in rows. `short_mm`: short side (mm) of the first card in the first photograph; 0.0 if unknown.
    """
    rounds = rounds_of(bench.cards)
    names = {card.kind: called(card.kind, card.name) for card in bench.cards}
    unseen: list[str] = []
    if photographs:
        learned = _taught_from_photographs(bench, rounds, names, list(photographs), short_mm)
    elif bench.devices.camera is None:
        return skipped(NAME, text("no camera"), text("plug one in, then: companion setup art"))
    else:
        bench.ask(ClearTable())
        table = _table(bench)
        if table is None:
            return skipped(NAME, text("the play area was not found"), "companion setup camera")
        learned, unseen = _taught_on_mat(bench, rounds, names, table)
    checks = _checks([kind for kinds in rounds for kind in kinds], _known(bench), unseen, names)
    if not photographs:
        # A guided walk ends with this step, so its screens show the shortcomings beside the last request.
        short = [check.said for check in checks if learned and check.verdict is not Verdict.GOOD]
        bench.live.said = short[0] if short else ""
        bench.ask(ClearTable())
    return result_of(NAME, checks) if learned else skipped(NAME, text("no card was shown"))


def _taught_on_mat(
    bench: SetupBench, rounds: Sequence[Sequence[str]], names: Mapping[str, str], table: _Table
) -> tuple[int, list[str]]:
    """Teach the camera all kinds that people lay on the mat, group by group.

    Returns the number of known kinds, and the kinds that the camera does not recognise afterwards.
    """
    # A step that was left goes on with the kinds not known yet.
    done = () if bench.profile.has_done(NAME) else _known(bench).names
    learned = len(done)
    unseen: list[str] = []
    left_out: list[list[str]] = []
    for kinds in rounds:
        found = _enrolled(bench, [kind for kind in kinds if kind not in done], names, table)
        learned += found.learned
        unseen += found.unseen
        left_out += [found.left_out] if found.left_out else []
        if not learned:
            return 0, []  # nobody shows any card
    unseen += _laid_after_all(bench, left_out, names, table)
    return learned, _shown_again(bench, rounds, unseen, names, table)


def _taught_from_photographs(
    bench: SetupBench,
    rounds: Sequence[Sequence[str]],
    names: Mapping[str, str],
    photographs: list[Image],
    short_mm: float,
) -> int:
    """Teach the camera all kinds from photographs; return the number of known kinds.

    `rounds`: kinds, group by group. `photographs` loses those that are read. `short_mm` is as in `enrol_art`.
    BadInputError if a photograph shows no card, or too many.
    """
    known = 0
    for kinds in rounds:
        rest, refused = list(kinds), 0
        while rest and photographs and refused < REFUSED_MOST:
            picture = photographs.pop(0)
            rows = _Rows(picture, cards_apart(picture), short_mm)
            count = len(rows.outlines)
            if not 0 < count <= len(rest):
                raise BadInputError(
                    _say_refused(bench, count, len(rest)),
                    where="photograph",
                    next_step=text("lay them out in the order that setup says"),
                )
            if not _confirmed(bench, rows, names, rest[:count]):
                refused += 1
                continue
            _keep(bench, _learned(bench, rows, rest[:count]).views)
            rest, refused, known = rest[count:], 0, known + count
            bench.say(text("{count} of {all} known", count=len(kinds) - len(rest), all=len(kinds)))
        if not photographs:
            break
    return known


@in_words()
def _known(bench: SetupBench) -> ArtBook:
    """Cards that the rig recognises by their printed pictures so far."""
    return book_of(bench.profile.art, "the rig's cards") if bench.profile.art else ArtBook()


def _keep(bench: SetupBench, views: Sequence[ArtView]) -> None:
    """Save new pictures of cards in the profile at once.

    So a break loses nothing. They replace earlier pictures of their kinds.
    """
    book = _known(bench)
    for kind in {view.name for view in views}:
        book = book.without(kind)
    bench.update(art=book_bytes(book.with_views(views)))


def _laid_after_all(
    bench: SetupBench, left_out: Sequence[list[str]], names: Mapping[str, str], table: _Table
) -> list[str]:
    """Ask once whether the person lays kinds that were left out, after all.

    A key may have slipped. `left_out`: the kinds of each group. `names`: kind -> name. Returns the kinds that
    are still not recognised.
    """
    unseen: list[str] = []
    told = _named([names[kind] for kinds in left_out for kind in kinds])
    bench.say("")  # how many of the last group are known is no answer to this question
    if left_out and bench.ask(LayLeftOut(told)):
        for kinds in left_out:
            unseen += _enrolled(bench, kinds, names, table).unseen
    return unseen


def _shown_again(
    bench: SetupBench,
    rounds: Sequence[Sequence[str]],
    unseen: Sequence[str],
    names: Mapping[str, str],
    table: _Table,
) -> list[str]:
    """Ask once more for kinds of cards that are not recognised, or look alike.

    `rounds`: kinds, group by group. `unseen`: those not recognised. `names`: kind -> name. Returns the kinds
    that are still not recognised.
    """
    alike = {kind for one in confusions(_known(bench)) for kind in (one.first, one.second)}
    lost = list[str]()
    for kinds in rounds:
        again = [kind for kind in kinds if kind in alike or kind in unseen]
        if not again:
            continue
        told = _named([names[kind] for kind in again])
        if alike.intersection(again):
            bench.say(
                text("from above these look alike: {kinds}. Put a dot of colour on one of two", kinds=told)
            )
        else:
            bench.say(text("once more, without a reflection: {kinds}", kinds=told))
        found = _enrolled(bench, again, names, table)
        lost += found.unseen if found.learned else [kind for kind in again if kind in unseen]
    return lost


def _enrolled(bench: SetupBench, kinds: list[str], names: Mapping[str, str], table: _Table) -> Shown:
    """Teach the camera some kinds of cards as people lay them on the mat.

    As many at a time as are asked for. `names`: kind -> name. `table`: the empty mat.
    """
    rest, refused, unseen, learned = list(kinds), 0, list[str](), 0
    most = len(rest)
    while rest and refused < REFUSED_MOST:
        asked = asked_for(rest[:most], names)
        if not bench.ask(LayInOrder(asked, tuple(names[kind] for kind in asked))):
            bench.say("")
            if bench.ask(LeaveOut(len(rest), _named([names[kind] for kind in rest]))):
                return Shown(learned, unseen, rest)
            continue
        rows = _live_rows(bench, table)
        count = 0 if rows is None else len(rows.outlines)
        if rows is None or not 0 < count <= len(asked):
            refused += 1
            _say_refused(bench, count, len(asked))
            if not count:
                # A card lay on the empty table, or the camera was pushed since.
                bench.ask(ClearTable())
                table = _table(bench) or table
            continue
        now = rest[:count]
        if not _confirmed(bench, rows, names, now):
            refused += 1
            if count < len(asked):
                kept = _without_lacking(bench, rest, asked, names)
                if kept == rest:
                    # All lie there, but touch or reach out of the mat: now fewer are asked for.
                    most = count
                    bench.say(
                        plural("Lay only {n} card now.", "Lay only {n} cards now, further apart.", n=most)
                    )
                rest = kept
            continue
        book = _learned(bench, rows, now, [rows.outlines])
        unseen += _not_known_again(bench, table, rows, book, now)
        _keep(bench, book.views)
        rest, refused, learned = rest[count:], 0, learned + count
        bench.say(text("{count} of {all} known", count=learned, all=len(kinds)))
    return Shown(learned, unseen, rest)


def _say_refused(bench: SetupBench, count: int, wanted: int) -> str:
    """Tell the person that another number of cards lies there than was asked for.

    `count` lie there, `wanted` were asked for. Returns the first half of the sentence.
    """
    seen = text("cards that lie there: {count}, wanted: {wanted}", count=count, wanted=wanted)
    seen = seen if count else text("no card lies apart")
    bench.say(text("{seen}: one of each, a finger's breadth apart, nothing else beside them", seen=seen))
    return seen


def _confirmed(bench: SetupBench, rows: _Rows, names: Mapping[str, str], kinds: Sequence[str]) -> bool:
    """Ask the person whether the cards lie in the order of `kinds`.

    `rows`: the cards as found. `names`: kind -> name.
    """
    bench.say("")  # how many lay there the last time is true no more
    return bench.ask(ConfirmOrder(_by_row(rows.outlines, [names[kind] for kind in kinds])))


def _learned(
    bench: SetupBench, rows: _Rows, kinds: Sequence[str], outlines: Sequence[Sequence[Points]] = ()
) -> ArtBook:
    """Learn cards that lie in the order of `kinds`: their views.

    `outlines`: corners of the cards in the picture (4 x 2 px each), if they are known.
    """
    bench.say(text("one moment: each of them is learned"))
    with in_words():
        return enrol_rows([rows.picture], kinds, rows.short_mm, outlines).book


def _without_lacking(
    bench: SetupBench, rest: list[str], asked: Sequence[str], names: Mapping[str, str]
) -> list[str]:
    """Ask which kind the person lacks; return the kinds still to be laid, without it.

    `rest`: kinds still to be laid. `asked`: kinds asked for at this time. `names`: kind -> name.
    """
    typed = (bench.ask_text(NameLacking(tuple(names[kind] for kind in asked))) or "").strip().lower()
    return [kind for kind in rest if kind not in asked or localized(names[kind]).lower() != typed]


def _table(bench: SetupBench) -> _Table | None:
    """Look at the empty mat in the camera's picture.

    None if the mat is not in sight.
    """
    image = _mean_picture(bench)
    if image is None:
        return None
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    placed = table_in(bench, gray)
    if placed is None:
        return None
    bench.outline_mat(placed)
    scale = placed.px_per_mm(bench.mat.w / 2, bench.mat.h / 2)
    return _Table(placed, scale, from_above(image, placed, bench.mat, scale))


def _mean_picture(bench: SetupBench) -> Image | None:
    """Mean (BGR) of four pictures, in which nothing moves if possible.

    Pictures are taken again while something moves. None if the camera gives none.
    """
    frames = bench.frames(LOOKS)
    for _ in range(STEADY_LOOKS):
        if not frames or _steady(frames[0].gray, frames[-1].gray):
            break
        frames = bench.frames(LOOKS)
    if not frames:
        return None
    mean = np.mean([frame.image for frame in frames], axis=0, dtype=np.float32)
    image = np.asarray(mean.round(), np.uint8)
    image = lifted(image, image)
    return np.repeat(image[:, :, None], 3, axis=2) if image.ndim == 2 else image


def _steady(first: Gray, last: Gray) -> bool:
    """True if nothing moved between two pictures.

    Neither a hand, nor a card that was just laid.
    """
    size = (max(1, first.shape[1] // CELL_PX), max(1, first.shape[0] // CELL_PX))
    small = [cv2.resize(one, size, interpolation=cv2.INTER_AREA).astype(np.float32) for one in (first, last)]
    changed = small[1] - small[0]
    changed -= np.median(changed)  # the exposure may change
    return bool(np.mean(np.abs(changed) > MOVED_LEVELS) < MOVED_SHARE)


def _live_rows(bench: SetupBench, table: _Table) -> _Rows | None:
    """Find the cards that lie on the mat now, by comparison with the empty one.

    None without a picture. `table`: the mat as it lay empty.
    """
    image = _mean_picture(bench)
    if image is None:
        return None
    picture = from_above(image, table.placed, bench.mat, table.scale)
    outlines = cards_laid(picture, table.empty)
    seen = [table.placed.to_px(outline / table.scale) for outline in outlines]
    bench.live.marks = tuple(Mark(tuple((float(x), float(y)) for x, y in px), read=True) for px in seen)
    short = min(card_sides(outlines[0])) / table.scale if outlines else 0.0
    return _Rows(picture, outlines, short)


def _by_row(outlines: Sequence[Points], names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Sort the names of cards into rows, by their outlines.

    A new row begins where the next card lies further left than the one before.
    """
    rows: list[list[str]] = [[]]
    before: NDArray[np.float32] | None = None
    for outline, name in zip(outlines, names, strict=True):
        middle = outline.mean(axis=0)
        if before is not None and middle[0] < before[0]:
            rows.append([])
        rows[-1].append(name)
        before = middle
    return tuple(map(tuple, rows))


def _not_known_again(
    bench: SetupBench, table: _Table, rows: _Rows, book: ArtBook, kinds: Sequence[str]
) -> list[str]:
    """Kinds of cards that are not recognised in a new picture.

    A game would see them so. `kinds`: in the order in which they lie. `book`: the cards as learned.
    """
    frame = bench.frame()
    if frame is None:
        return []
    art = LiveArt(book)
    missing = []
    for kind, outline in zip(kinds, rows.outlines, strict=True):
        (left, top), (right, bottom) = outline.min(axis=0) / table.scale, outline.max(axis=0) / table.scale
        place = Zone("", float(left), float(top), float(right - left), float(bottom - top))
        look = art.look(frame.image, table.placed.zone_rect(place, AROUND_MM), table.placed)
        if not any(one.kind == kind and place.contains(one.x, one.y) for one in look.cards):
            missing.append(kind)
    return missing


def _checks(
    wanted: Sequence[str], book: ArtBook, unseen: Sequence[str], names: Mapping[str, str]
) -> list[Check]:
    lacking = [kind for kind in wanted if kind not in book.names]
    known = len(wanted) - len(lacking)
    said = text("{count} of {all} kinds are known by their pictures", count=known, all=len(wanted))
    checks = []
    if lacking:
        fix = text("companion setup art, once more; what is not known is seen only with a sticker")
        checks.append(
            Check(
                "pictures",
                Verdict.USABLE,
                known,
                "kinds",
                text("{said}; not: {kinds}", said=said, kinds=_named([names[kind] for kind in lacking])),
                fix,
                "card not shown",
            )
        )
    else:
        checks.append(Check("pictures", Verdict.GOOD, known, "kinds", said))
    alike = [one for one in confusions(book) if {one.first, one.second} <= set(wanted)]
    if alike:
        pairs = _named([listed([names[one.first], names[one.second]]) for one in alike])
        checks.append(
            Check(
                "alike",
                Verdict.USABLE,
                len(alike),
                "pairs",
                text("these look alike from above: {pairs}", pairs=pairs),
                text("put a dot of colour on one of each two, then: companion setup art"),
                "alike pictures",
            )
        )
    told_apart = {kind for one in alike for kind in (one.first, one.second)}
    if lost := [names[kind] for kind in unseen if kind not in told_apart]:
        checks.append(
            Check(
                "known again",
                Verdict.USABLE,
                known - len(lost),
                "kinds",
                text("not known again at a second look: {kinds}", kinds=_named(lost)),
                text("more light and no reflection, then: companion setup art"),
                "picture not known again",
            )
        )
    return checks


def _named(names: Sequence[str]) -> str:
    if len(names) <= NAMED_MOST:
        return text("{names}", names=tuple(names))
    return text("{names} and {more} more", names=tuple(names[:NAMED_MOST]), more=len(names) - NAMED_MOST)
