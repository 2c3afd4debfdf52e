"""A second reading of docs/rules.md, Differenzler.

A match is one mutable object on text: it is told the rules' own commands and shares no other code with them.
"""

from __future__ import annotations

from typing import Any

from jasshaus.rules.core.cards import format_card
from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.differenzler import Announce, PlayCard, StartDeal
from rules.literal_table import Refused, Table, demand


class Differenzler(Table):
    """A match in which each plays for themselves."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(rules, 4)
        self.able = {0, 1, 2, 3}

    def do(self, command: Any) -> None:
        match command:
            case StartDeal(deck, forehand):
                self.start([format_card(card) for card in deck], forehand)
                self.contract, self.phase = format_card(deck[35])[0], "announce"
                self.announced: list[int | None] = [None] * 4
            case Announce(seat, points):
                demand(seat in self.announcing(), 0 <= points <= 157)
                self.announced[seat] = points
                if None not in self.announced:
                    self.phase = "play"
            case PlayCard(seat, card):
                if self.put(seat, format_card(card)):
                    self.take()
                    if len(self.tricks) == 9:
                        self.score_deal()
            case _:
                raise Refused

    def announcing(self) -> list[int]:
        if self.phase != "announce":
            return []
        order = [(self.forehand + steps) % 4 for steps in range(4)]
        missing = [seat for seat in order if self.announced[seat] is None]
        return missing[:1] if self.rules.announcements == "open" else missing

    def score_deal(self) -> None:
        for seat, announced in enumerate(self.announced):
            made = sum(points for winner, points in self.tricks if winner == seat)
            self.totals[seat] += abs(made - announced)
            if made == announced != 0:
                self.totals[seat] -= self.rules.exact_bonus
        self.phase = "deal"
        if self.deal < self.rules.rounds:
            return
        least = min(self.totals[seat] for seat in self.able)
        tied = {seat for seat in self.able if self.totals[seat] == least}
        if len(tied) == 1:
            self.outcome, self.phase = (tied.pop(), tuple(self.totals)), "ended"
        elif self.rules.tie_round_eligible == "tied_only":
            self.able = tied
