"""Each rig's proofs and limits, in words and rehearsals."""

from dataclasses import dataclass

from companion.core.language import Text, text


@dataclass(frozen=True, slots=True)
class Measured:
    """Results of rehearsed games with one rig (set of sensors).

    Counted by `companion rehearse --rig RIG --noise home --through observations --games N --seed SEED`.
    `followed`: games with a correct turn, row, discard pile and set of sleeping princesses at the end.
    `wrong`: claims with a wrong verdict. `open_`: claims undecided until their cards were turned up.
    """

    rig: str
    seed: int
    games: int
    followed: int
    claims: int
    wrong: int
    open_: int


@dataclass(frozen=True, slots=True)
class RigRow:
    """One rig (set of sensors) that a family may build.

    `parts`: what to get in addition to the rig before. `proves`, `cannot`: what the companion knows with it,
    and what not. `measured`: results of rehearsed games.
    """

    name: Text
    parts: Text
    proves: Text
    cannot: Text
    measured: Measured

    @property
    def counted(self) -> Text:
        """How well rehearsed games went with this rig, in words."""
        told = self.measured
        return text(
            "followed {followed} of {games} games; of {claims} claims {wrong} wrong, {open} left for the cards",
            followed=f"{told.followed:,}",
            games=f"{told.games:,}",
            claims=f"{told.claims:,}",
            wrong=f"{told.wrong:,}",
            open=f"{told.open_:,}",
        )


RIG_TABLE = (
    RigRow(
        text("webcam alone"),
        text("a webcam and one printed page; or printed stickers and mat"),
        text("whose turn it is, plays, discards, the open row, who sleeps or is out, the score"),
        text("which mattress lies face down where: every claim waits until its cards are turned up"),
        Measured("camera", 9130000, 28, 28, 108, 0, 108),
    ),
    RigRow(
        text("webcam and pad"),
        text("a Pico, a tag reader and a pressure pad: each mattress is tapped as it is dealt and felt"),
        text("which mattress was just read or felt"),
        text("on which bed it was laid: claims wait as with a webcam alone"),
        Measured("camera+pad", 9130000, 28, 28, 108, 0, 108),
    ),
    RigRow(
        text("the rig that judges"),
        text(
            "beside a webcam: a Pico with a tag reader, and a scale and a button at each bed; no pad that feels"
        ),
        text("most claims, a second or two after the button; and it asks more often than the full rig"),
        text("a mattress felt under its bed and left there, unless somebody says so"),
        Measured("judge", 9130000, 28, 27, 108, 0, 10),
    ),
    RigRow(
        text("full"),
        text("the pressure pad, and an electrode and a lamp at each bed"),
        text("nearly every claim, a second after the button"),
        text("a mattress put back under its bed from one laid on top, until something tells them apart"),
        Measured("full", 9130000, 28, 28, 108, 0, 2),
    ),
)


def markdown() -> str:
    """All rigs as a Markdown table, for the README."""
    head = "| rig | what to get, besides the row above | proves | cannot prove | right at the end | claims |"
    lines = [head, "|---|---|---|---|---|---|"]
    for row in RIG_TABLE:
        told = row.measured
        followed = f"{told.followed:,} of {told.games:,} games"
        by_itself = told.claims - told.open_ - told.wrong
        claims = f"{by_itself:,} judged alone, {told.open_:,} when the cards are shown, **{told.wrong} wrong**"
        lines.append(f"| **{row.name}** | {row.parts} | {row.proves} | {row.cannot} | {followed} | {claims} |")
    return "\n".join(lines)
