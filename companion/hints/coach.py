"""The coach: for every decision of a turn the possible actions ranked, from the view and the team's knowledge."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from companion.games.sleepless_princess.actions import (
    Action, Claim, Deck, Discard, Done, Look, Move, Open, Play, Skip, Take, Touch,
)
from companion.games.sleepless_princess.cards import WITCH
from companion.games.sleepless_princess.cardsets import Cards, totals
from companion.games.sleepless_princess.plays import play_table
from companion.games.sleepless_princess.state import VARIANTS
from companion.hints import beds
from companion.hints.hands import TURNS, PARTS, Prices, best_taking, without
from companion.hints.knowledge import TeamKnowledge, kinds

import os
L=float(os.environ.get("L",".3")); TP=float(os.environ.get("TP",".67")); U=float(os.environ.get("U","2.6"));W=float(os.environ.get("W","3"));WP=float(os.environ.get("WP","1"))
OFF=float(os.environ.get("OFF","0")); SKIP=float(os.environ.get("SKIP","0"))
PRICES = {"basic": Prices(TP, 1.0, L), "5+": Prices(1.0, 0.0, L)}


class Coach:
    name = "coach"

    def __init__(self, misread: float = 0.0) -> None:
        self.misread = misread
        self.witches = 0

    def start(self, view):
        self.known = TeamKnowledge(view, self.misread)
        self.witches = totals(view["variant"], view["players"])[WITCH]
        self.swept = 0

    def observe(self, player, action, seen):
        self.known.observe(player, action, seen)
        if type(action) in (Open, Deck) and action.card == WITCH:
            self.witches -= 1

    def turns_after(self, view) -> int:
        if view["last_turns"] is not None:
            return 0
        left = view["deck"] + len(view["row"]) - W * self.witches
        return max(0, min(TURNS*PARTS, round(PARTS*(left / U + OFF) / view["players"])))

    def choose(self, view, legal, rng):
        known = self.known
        for bed, _ in beds.certain_beds(known, view["fates"]):
            return Claim(bed)
        phase = view["phase"]
        if phase == "play":
            return self.play(view, legal)
        if phase == "check":
            return self.check(view)
        return self.draw(view)

    def _drawing(self, view, kept, row, turns):
        witch = 0.0
        if view["deck"]:
            witch = WP * PRICES[view["variant"]].card * self.witches / view["deck"]
        return best_taking((view["variant"], PRICES[view["variant"]]), turns, kept, row, min(5, view["deck"]), round(witch, 2))

    def play(self, view, legal):
        v = view["variant"]; price = PRICES[v]
        hand = kinds(view["hand"]); row = kinds(view["row"]); turns = self.turns_after(view)
        touch = [c.worth for c in beds.checks(self.known, view, False)][:1]
        look = [c.worth for c in beds.checks(self.known, view, True)][:3]
        best = None
        for a in legal:
            t = type(a)
            if t is Play:
                use = play_table(v)[a]
                gain = sum(touch) + sum(look[:use.looks]) - price.card * len(use.cards) * (turns > 0)
                cards = use.cards
            elif t is Discard:
                gain = -price.card * len(a.cards)* (turns > 0); cards = a.cards
            else:
                continue
            val = gain + self._drawing(view, without(hand, cards), row, turns)[0]
            if best is None or val > best[0]:
                best = (val, a)
        return best[1] if best else Skip()

    def draw(self, view):
        hand = kinds(view["hand"]); row = kinds(view["row"])
        _, cards = self._drawing(view, hand, row, self.turns_after(view))
        if cards:
            return Take(cards[0])
        return Deck() if view["deck"] else Take(row[0])

    def check(self, view):
        known = self.known; fates = view["fates"]
        for bed in view["checked_beds"]:
            to = beds.target(known, fates, bed)
            if to is not None:
                return Move(bed, to)
        if view["touches"]:
            c = beds.checks(known, view, False)
            if c and c[0].worth > SKIP:
                return Touch(c[0].bed)
        if view["looks"]:
            c = beds.checks(known, view, True)
            if c and c[0].worth > 0:
                return Look(c[0].bed)
        return Done()
