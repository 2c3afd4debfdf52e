"""A second reading of docs/rules.md, Deal and order of play: what both games have, dealing, turns and tricks.

A match is one mutable object on text: it is told the rules' own commands and shares no other code with them.
"""

from __future__ import annotations

from jasshaus.rules.core.options import RuleSet
from rules import literal_cards


class Refused(Exception):  # noqa: N818 - the game's own term
    """The rules do not allow it."""


def demand(*conditions: bool) -> None:
    if not all(conditions):
        raise Refused


class Table:
    """What both games have: dealing, turns, tricks."""

    def __init__(self, rules: RuleSet, sides: int) -> None:
        self.rules, self.phase, self.deal, self.forehand = rules, "deal", 0, -1
        self.totals, self.outcome = [0] * sides, None
        self.contract: str | None = None
        self.on_table: list[str] = []
        self.tricks: list[tuple[int, int]] = []  # winning seat and points

    def start(self, deck: list[str], forehand: int | None) -> None:
        demand(self.phase == "deal")
        drawn = self.deal == 0 and self.rules.first_forehand == "random"
        demand((forehand is not None) == drawn)
        if drawn:
            self.forehand = forehand
        elif self.deal > 0:
            self.forehand = (self.forehand + 1) % 4
        else:
            # rose7: dealt from seat 0 on, the holder of R7 is forehand.
            self.forehand = next(seat for seat in range(4) if "R7" in dealt_out(deck, 0)[seat])
        first = 0 if self.deal == 0 and not drawn else self.forehand
        self.dealt = dealt_out(deck, first)
        self.hands = [set(hand) for hand in self.dealt]
        self.leader, self.on_table, self.tricks = self.forehand, [], []
        self.deal += 1

    @property
    def turn(self) -> int:
        return (self.leader + len(self.on_table)) % 4

    def legal(self, seat: int) -> set[str]:
        """Return the cards a seat may play now."""
        if self.phase != "play" or seat != self.turn:
            return set()
        return literal_cards.legal(self.hands[seat], self.on_table, self.contract, self.rules.undertrump)

    def put(self, seat: int, card: str) -> bool:
        """Play a card; say whether it completed a trick."""
        demand(card in self.legal(seat))
        self.hands[seat].remove(card)
        self.on_table.append(card)
        return len(self.on_table) == 4

    def take(self) -> None:
        """Give the trick on the table to its winner, who leads the next."""
        winner = (self.leader + literal_cards.winner(self.on_table, self.contract)) % 4
        worth = sum(
            literal_cards.points(card, self.contract, self.rules.une_points) for card in self.on_table
        )
        self.tricks.append((winner, worth + (5 if len(self.tricks) == 8 else 0)))
        self.leader, self.on_table = winner, []


def dealt_out(deck: list[str], first: int) -> list[set[str]]:
    """Deal nine each in three packets of three."""
    packets = [deck[start : start + 3] for start in range(0, 36, 3)]
    return [{card for packet in packets[(seat - first) % 4 :: 4] for card in packet} for seat in range(4)]
