"""Sentences that name keys, reworded for screens without a keyboard."""

from collections.abc import Mapping

from companion.core.language import Language, Text, Value, text

LOST = text("I have lost track of what was done. I still see what lies open. Press t, and I go on from there.")
"""Sentence while no history explains the observations, and the camera works."""
LOST_FEELING = text(
    "I have lost track of what was done. The camera sees nothing; the board still works. Mend the camera, "
    "then t: I go on from what lies there."
)
LOST_ALL = text(
    "I have lost track of what was done. Neither camera nor board works. Mend the camera, then t: "
    "I go on from what lies there."
)
"""LOST_FEELING, LOST_ALL: sentences while no history explains the observations, and the camera is away.

LOST_FEELING: the board with the other sensors works. LOST_ALL: neither works.
"""
AGREED = text("Table and companion agree. If it is somebody else's turn, press g.")
COUNTED = text("I count the cards as they lie there. If it is somebody else's turn, press g.")
PUT_RIGHT = text("Put it right, or t: I take over what lies there.")
BEFORE_RESTART = text(
    "That was before I was started again: I cannot take it back. Put the table right, then press t."
)
NOT_LAST = text("The verdict is not the last action now. Press t, and mark who still plays.")
RESULT_STAYS = text("The game is over and keeps its result. If a new game lies there, press t.")
_UNSEEN = text(
    "I have lost track of what was done, and the camera sees nothing. Once it is mended, somebody at the "
    "table's own screen can tell me to go on from there."
)
_WITHOUT_KEYS: Mapping[str, Text] = {
    LOST: text(
        "I have lost track of what was done. I still see what lies open. At the table's own screen somebody "
        "can tell me to go on from there."
    ),
    LOST_FEELING: _UNSEEN,
    LOST_ALL: _UNSEEN,
    AGREED: text(
        "Table and companion agree. If it is somebody else's turn, tell me so at the table's own screen."
    ),
    COUNTED: text(
        "I count the cards as they lie there. If it is somebody else's turn, tell me so at the table's own "
        "screen."
    ),
    PUT_RIGHT: text("Put it right, or tell me at the table's own screen to take over what lies there."),
    BEFORE_RESTART: text(
        "That was before I was started again: I cannot take it back. Put the table right, then tell me at its "
        "own screen to take it over."
    ),
    NOT_LAST: text(
        "The verdict is not the last action now. At the table's own screen somebody can mark who still plays."
    ),
    RESULT_STAYS: text(
        "The game is over and keeps its result. If a new game lies there, touch {button}.",
        button=text("New game"),
    ),
}


class WithoutKeys(Language):
    """Language for screens without a keyboard: sentences name no keys."""

    def render(self, sentence: str, many: str, context: str, values: Mapping[str, Value]) -> str:
        """Translate a sentence into a wording that names no keys.

        Parameters are those of `Language.render`.
        """
        said = _WITHOUT_KEYS.get(sentence)
        if said is not None:
            sentence, values = said.id, said.values
        return super().render(sentence, many, context, values)
