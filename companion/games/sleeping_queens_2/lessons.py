"""Rulebook lessons for a first game of Sleeping Queens 2."""

from companion.core.language import text
from companion.games.narrator import Lesson

LESSONS = (
    Lesson(
        "phase roll",
        text("Your turn"),
        text(
            "Roll the die. 1, 2 or 3: draw so many cards. A dragon: all knights move on to the left, "
            "you may wake one of your queens, and you roll again."
        ),
        text("Rulebook: How to Play, step 1"),
    ),
    Lesson(
        "phase play",
        text("To rescue kings"),
        text(
            "Three numbers and more that make an equation, e.g. 2 + 3 + 3 = 8, fetch a companion. A "
            "companion with the symbol of an awake queen rescues a king."
        ),
        text("Rulebook: Finding Rescue Companions; How to Rescue a King"),
    ),
    Lesson(
        "phase instant",
        text("Instant cards"),
        text("Wild gnome, switch witch and sleeping willow are played at once, in any order."),
        text("Rulebook: Instant Action Cards"),
    ),
    Lesson(
        "phase gnome",
        text("The wild gnome"),
        text(
            "Roll the die for it. 1: a companion who lies face down. 2: a card from another realm. 3:"
            " a queen from the discard pile. A dragon: two knights change places."
        ),
        text("Rulebook: Wild Gnomes"),
    ),
    Lesson(
        "phase swap",
        text("The switch witch"),
        text(
            "Swap a card of yours for one of another realm, or a companion for a companion. You need "
            "not use her."
        ),
        text("Rulebook: Switch Witches"),
    ),
    Lesson(
        "card WI",
        text("The sleeping willow"),
        text(
            "All your queens fall asleep. If none of them is awake, the next player's do. Who sleeps "
            "rescues nobody: a pair of equal numbers wakes all your queens."
        ),
        text("Rulebook: Sleeping Willows; How to Wake a Sleeping Queen"),
    ),
    Lesson(
        "phase discard",
        text("Five cards stay"),
        text(
            "At the end of a turn a realm keeps five cards at most, with one of the knights six. "
            "Companions and kings do not count."
        ),
        text("Rulebook: How to Play, step 5"),
    ),
)
