"""The worlds of rehearsals: what differs at other families' tables, one row for each.

A held out world is used only for measuring: no single game of it may be inspected. Whoever inspects one sets
`held_out` to False.
At first every second world in alphabetical order was held out. A new world says itself whether it is.
"""

from collections.abc import Mapping
from types import MappingProxyType

from companion.sensing.observation import Button, Touch
from companion.virtual.games.sleepless_princess.world_habits import Habits
from companion.virtual.rehearsal_world import RehearsalWorld
from companion.virtual.rig.unusual_sensors import (
    BOARD,
    CAMERA,
    Creeping,
    Crossed,
    Crosstalk,
    Dazzled,
    Drumming,
    Frozen,
    Late,
    RestingHand,
    ScaleOff,
    TagsSwapped,
    WrongTexture,
)
from companion.virtual.rig.worn_sensors import Bouncing, Flickering, Settling

_ALL = (
    RehearsalWorld(
        "board-late",
        "the board reports everything a second later",
        held_out=False,
        laws=(Late(BOARD, seconds=1.0),),
    ),
    RehearsalWorld(
        "board-reboots", "the board loses power 8 times a game", held_out=False, noise={"unplugs_per_game": 8.0}
    ),
    RehearsalWorld(
        "button-bounces",
        "worn contacts: half of the presses of a button are reported again 0.15 to 0.7 s later",
        held_out=True,
        laws=(Bouncing(0.5, (0.15, 0.7)),),
    ),
    RehearsalWorld(
        "buttons-crossed", "two buttons are connected crosswise", held_out=False, laws=(Crossed(Button),)
    ),
    RehearsalWorld(
        "camera-frozen",
        "the camera's picture freezes without an error for 10 to 30 s, ten times an hour",
        held_out=True,
        laws=(Frozen(10.0, (10.0, 30.0)),),
    ),
    RehearsalWorld(
        "camera-late",
        "the camera reports everything a second later",
        held_out=False,
        laws=(Late(CAMERA, seconds=1.0),),
    ),
    RehearsalWorld(
        "camera-nudged", "the camera is nudged 15 times a game", held_out=True, noise={"nudges_per_game": 15.0}
    ),
    RehearsalWorld(
        "card-on-floor",
        "a bed's top mattress lies on the floor for a minute: 10 % of turns",
        held_out=False,
        habits=Habits(card_on_floor=0.1),
    ),
    RehearsalWorld(
        "cards-first",
        "cards are turned up 2 to 3 s before the button: 80 % of claims",
        held_out=True,
        habits=Habits(cards_first=0.8),
    ),
    RehearsalWorld(
        "child-taps",
        "a curious child taps a bed's top mattress on the pad and puts it back: 10 % of turns",
        held_out=True,
        habits=Habits(curious_taps=0.1),
    ),
    RehearsalWorld(
        "children-drumming",
        "children drum on two beds for 10 to 30 s, 8 times an hour",
        held_out=False,
        laws=(Drumming(8.0),),
    ),
    RehearsalWorld(
        "dealt-by-hand", "no mattress is tapped on the pad when it is dealt", held_out=True, deal="hand"
    ),
    RehearsalWorld(
        "delays-heavy-tailed",
        "camera and board report later by a log-normal time: median 0.2 s, one in a hundred over 2 s",
        held_out=False,
        laws=(Late(CAMERA, median=0.2, sigma=1.0), Late(BOARD, median=0.2, sigma=1.0)),
    ),
    RehearsalWorld(
        "electrode-neighbour",
        "a touch is felt by the neighbour's electrode, too, or by that alone: 20 % of touches",
        held_out=True,
        laws=(Crosstalk(0.2),),
    ),
    RehearsalWorld(
        "electrodes-crossed", "two electrodes are connected crosswise", held_out=False, laws=(Crossed(Touch),)
    ),
    RehearsalWorld("fast-players", "players take a third of the usual time", held_out=True, pace=0.33),
    RehearsalWorld(
        "feel-on-pad-always",
        "each felt mattress comes to the pad and back beneath its bed",
        held_out=False,
        habits=Habits(feels_on_pad=1.0),
    ),
    RehearsalWorld(
        "feel-on-pad-half",
        "every second felt mattress comes to the pad and back beneath its bed",
        held_out=True,
        habits=Habits(feels_on_pad=0.5),
    ),
    RehearsalWorld(
        "glare-on-zone",
        "a reflection hides most stickers of one zone for five minutes",
        held_out=False,
        laws=(Dazzled(0.8, (300.0, 300.0), one_zone=True),),
    ),
    RehearsalWorld(
        "hand-resting",
        "a hand rests on one scale for 70 % of the time",
        held_out=True,
        laws=(RestingHand(0.7),),
    ),
    RehearsalWorld(
        "hands-many",
        "several hands are at work: 40 % of actions at different places overlap",
        held_out=False,
        habits=Habits(at_once=0.4),
    ),
    RehearsalWorld(
        "hurried-table",
        "players take 60 % of the usual time, and 20 % of actions at different places overlap",
        held_out=True,
        habits=Habits(at_once=0.2),
        pace=0.6,
    ),
    RehearsalWorld("keys-alone", "claims are announced by the key alone", held_out=True, buttons=False),
    RehearsalWorld(
        "look-too-many",
        "somebody looks beneath a bed without having the right to: 15 % of turns",
        held_out=False,
        habits=Habits(look_too_many=0.15),
    ),
    RehearsalWorld(
        "moved-on",
        "a mattress comes to a wrong bed, and by the same hand to its own 3 to 10 s later: 20 % of moves",
        held_out=False,
        habits=Habits(moved_on=0.2),
    ),
    RehearsalWorld(
        "order-lost",
        "the cards of a failed claim are put back in another order: 80 % of them",
        held_out=False,
        habits=Habits(order_lost=0.8),
    ),
    RehearsalWorld(
        "pause-half-hour",
        "everybody goes away for half an hour: 5 % of turns",
        held_out=False,
        habits=Habits(breaks=0.05),
    ),
    RehearsalWorld(
        "played-left-lying",
        "the played cards are swept away only when the next turn begins: 20 % of plays",
        held_out=True,
        habits=Habits(played_left=0.2),
    ),
    RehearsalWorld(
        "press-by-mistake",
        "a button is pressed by mistake and nothing is turned up: 10 % of turns",
        held_out=True,
        habits=Habits(presses_by_mistake=0.1),
    ),
    RehearsalWorld(
        "press-taken-back",
        "a button is pressed, the mattresses are lifted and put back unturned: 10 % of turns",
        held_out=False,
        habits=Habits(presses_taken_back=0.1),
    ),
    RehearsalWorld(
        "refill-forgotten",
        "the row is filled up only after the next player's play: half of the turns",
        held_out=True,
        habits=Habits(refill_forgotten=0.5),
    ),
    RehearsalWorld(
        "scale-biased", "one scale is a card off for two minutes", held_out=False, laws=(ScaleOff(120.0),)
    ),
    RehearsalWorld(
        "scale-bumped",
        "one scale is a card off from a bump to the end of the game",
        held_out=True,
        laws=(ScaleOff(),),
    ),
    RehearsalWorld(
        "scale-creeping",
        "every scale creeps by a card in 6 minutes, and back",
        held_out=False,
        laws=(Creeping(6.0),),
    ),
    RehearsalWorld(
        "scale-settles-late",
        "one scale reports only what it has carried for 2 to 5 s, and nothing that was over sooner",
        held_out=False,
        laws=(Settling((2.0, 5.0)),),
    ),
    RehearsalWorld(
        "seats-changed",
        "two players change seats with their hands: 5 % of turns",
        held_out=True,
        habits=Habits(seats_changed=0.05),
    ),
    RehearsalWorld(
        "sleeves-stick",
        "the next mattress sticks to the one that is drawn out, and goes back: 15 % of moves",
        held_out=True,
        habits=Habits(sleeves_stuck=0.15),
    ),
    RehearsalWorld("slow-players", "players take four times the usual time", held_out=False, pace=4.0),
    RehearsalWorld(
        "sticker-bursts",
        "half of all stickers are unread for 2 to 8 s, twenty times an hour",
        held_out=True,
        laws=(Dazzled(0.5, (2.0, 8.0), 20.0),),
    ),
    RehearsalWorld(
        "tag-flickers",
        "the reader loses a card on the pad again and again and finds it: 30 % of placements",
        held_out=True,
        laws=(Flickering(0.3),),
    ),
    RehearsalWorld(
        "tag-misses",
        "the reader misses 10 % of the placements",
        held_out=False,
        noise={"tag_badly_placed": 0.1},
    ),
    RehearsalWorld(
        "tags-swapped",
        "two mattresses carry each other's tag since the enrolment",
        held_out=True,
        laws=(TagsSwapped(),),
    ),
    RehearsalWorld(
        "texture-wrong",
        "5 % of the presses on the pad are taken for another picture",
        held_out=False,
        laws=(WrongTexture(0.05),),
    ),
    RehearsalWorld(
        "tile-first",
        "the dreaming tile is laid 2 to 3 s before the button: 80 % of true claims",
        held_out=True,
        habits=Habits(tile_first=0.8),
    ),
    RehearsalWorld(
        "tile-topples",
        "a standing tile falls on its bed, either side up, and is stood up 3 to 15 s later: 8 % of turns",
        held_out=True,
        habits=Habits(tiles_toppled=0.08),
    ),
    RehearsalWorld(
        "tops-swapped",
        "the tops of two beds change places while the camera is frozen: 5 % of turns",
        held_out=False,
        habits=Habits(tops_swapped=0.05),
    ),
    RehearsalWorld(
        "wrong-bed",
        "a mattress comes to a wrong bed and is put right a turn later: 20 % of moves",
        held_out=False,
        habits=Habits(wrong_bed=0.2),
    ),
)

WORLDS: Mapping[str, RehearsalWorld] = MappingProxyType({world.name: world for world in _ALL})
"""Name -> world for rehearsals (a table with unusual people, wiring or sensors), in alphabetical order."""
