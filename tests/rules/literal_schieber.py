"""A second reading of docs/rules.md, Schieber, with Weis, Stöck and the end of the match.

A match is one mutable object on text: it is told the rules' own commands and shares no other code with them.
Points are before the multiplier unless said otherwise; lists of two are by side.
"""

from __future__ import annotations

from typing import Any

from jasshaus.rules.core.cards import format_card, format_contract
from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.schieber import ChooseContract, Claim, DeclareWeis, PlayCard, Push, StartDeal
from rules import brute_weis
from rules.brute_weis import Combination, Declaration
from rules.layouts import texts
from rules.literal_table import Refused, Table, demand


class Schieber(Table):
    """A match of 0+2 against 1+3."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(rules, 2)
        self.multipliers = dict(zip(("E", "R", "S", "B", "OBE", "UNE"), rules.multipliers, strict=True))

    def do(self, command: Any) -> None:
        match command:
            case StartDeal(deck, forehand):
                self.start([format_card(card) for card in deck], forehand)
                self.phase, self.chooser, self.pushed = "contract", self.forehand, False
                self.declared: list[Declaration | None] = [None] * 4
                self.scored: list[tuple[int, Combination]] = []
                self.stoeck_scored = False
                self.contract, self.last_score = None, None
            case Push(seat):
                demand(self.phase == "contract", seat == self.chooser, not self.pushed)
                self.chooser, self.pushed = (seat + 2) % 4, True
            case ChooseContract(seat, contract):
                demand(self.phase == "contract", seat == self.chooser)
                self.choose(format_contract(contract))
            case DeclareWeis(seat, weis):
                self.declare(seat, tuple(texts(weis)))
            case PlayCard(seat, card):
                self.play(seat, format_card(card))
            case Claim(seat):
                demand(self.may_claim(seat))
                self.claim(seat % 2)
            case _:
                raise Refused

    def choose(self, contract: str) -> None:
        self.contract, self.multiplier = contract, self.multipliers[contract]
        self.phase = "weis" if self.rules.weis_when == "before_lead" else "play"
        if self.rules.weis_declaration == "automatic":
            for seat, hand in enumerate(self.dealt):
                found = brute_weis.combinations(hand, self.rules)
                together = brute_weis.pairs(found, hand, self.rules)
                self.declared[seat] = brute_weis.best(found, together, contract, self.rules)

    def may_declare(self, seat: int) -> bool:
        if self.rules.weis_declaration == "automatic" or self.phase not in {"weis", "play"}:
            return False
        before_own_card = self.phase == "weis" or (not self.tricks and seat == self.turn)
        return before_own_card and self.declared[seat] is None

    def declare(self, seat: int, weis: Declaration) -> None:
        demand(self.may_declare(seat))
        found = brute_weis.combinations(self.dealt[seat], self.rules)
        demand(all(each in found for each in weis))
        for index, one in enumerate(weis):
            for other in weis[:index]:
                demand(brute_weis.go_together(one, other, self.dealt[seat], self.rules))
        self.declared[seat] = weis
        if None not in self.declared:
            self.phase = "play"

    def legal(self, seat: int) -> set[str]:
        """Return the cards a seat may play now, which is after the declarations made before the lead."""
        return set() if self.deal == 0 or self.phase != "play" else super().legal(seat)

    def play(self, seat: int, card: str) -> None:
        completed = self.put(seat, card)
        if self.declared[seat] is None:
            self.declared[seat] = ()
        pair = {f"{self.contract}K", f"{self.contract}O"}
        if self.rules.stoeck_timing == "second_card" and card in pair <= self.dealt[seat]:
            self.stoeck_scored |= not pair & self.hands[seat]
        if not completed:
            return
        self.take()
        if len(self.tricks) == 1:
            declared = [each or () for each in self.declared]
            self.scored = brute_weis.scoring(declared, self.forehand, self.contract, self.rules)
        if len(self.tricks) == 9:
            self.score_deal()
        else:
            self.check_between_tricks()

    def stoeck(self) -> list[int]:
        """Count the Stöck of the deal, scored or not."""
        pair = {f"{self.contract}K", f"{self.contract}O"}
        return [20 * any(pair <= self.dealt[seat] for seat in (side, side + 2)) for side in (0, 1)]

    def weis(self) -> list[int]:
        counted = [0, 0]
        for seat, each in self.scored:
            with_trick = any(winner % 2 == seat % 2 for winner, _ in self.tricks)
            if with_trick or not self.rules.weis_needs_trick:
                counted[seat % 2] += brute_weis.value(each, self.rules)
        return counted

    def cards(self) -> list[int]:
        return [sum(points for seat, points in self.tricks if seat % 2 == side) for side in (0, 1)]

    def with_totals(self, *parts: list[int]) -> list[int]:
        """Add parts of the deal, multiplied, to the totals."""
        return [self.totals[side] + self.multiplier * sum(part[side] for part in parts) for side in (0, 1)]

    def check_between_tricks(self) -> None:
        """End by itself: finish=automatic after each trick, finish=claim after the first if both are over."""
        rules, stoeck = self.rules, self.stoeck()
        if self.stoeck_scored:
            played = stoeck
        else:
            played = [0, 0]
            if rules.stoeck_timing == "end" and not rules.claim_counts_unplayed_stoeck:
                stoeck = [0, 0]
        ending = self.ending(stoeck)
        if ending is None:
            return
        # A Stöck not scored yet is scored where it makes its side reach, and by that decides.
        by_stoeck = self.ending(played) != ending
        winner, by, _ = ending
        if by == "automatic" and by_stoeck:
            by = "stoeck"
        self.end(winner, by, self.with_totals(stoeck if by_stoeck else played, self.weis(), self.cards()))

    def ending(self, stoeck: list[int]) -> tuple[int, str, list[bool]] | None:
        """Return the winner, what decides, and who is over, with this Stöck; None when the deal goes on."""
        over = self.over(stoeck, self.weis(), self.cards())
        if len(self.tricks) > 1:
            ended = any(over) and self.rules.finish == "automatic"
            return (over.index(True), "automatic", over) if ended else None
        if not (any(over) if self.rules.finish == "automatic" else all(over)):
            return None
        # Stöck, Weis, Stich.
        for by, parts in (("stoeck", [stoeck]), ("weis", [stoeck, self.weis()])):
            if any(self.over(*parts)):
                return self.over(*parts).index(True), by, over
        return self.tricks[0][0] % 2, "stich", over

    def over(self, *parts: list[int]) -> list[bool]:
        """Say which side has reached the target by these parts of the deal."""
        return [total >= self.rules.target for total in self.with_totals(*parts)]

    def score_deal(self) -> None:
        won = [sum(winner % 2 == side for winner, _ in self.tricks) for side in (0, 1)]
        bonus = [self.rules.match_bonus * (tricks == 9) for tricks in won]
        after = self.with_totals(self.cards(), self.weis(), self.stoeck(), bonus)
        self.last_score = [new - old for new, old in zip(after, self.totals, strict=True)]
        self.totals, self.phase = after, "deal"
        last = self.tricks[-1][0] % 2
        for side in (last, 1 - last):
            if self.totals[side] >= self.rules.target:
                self.end(side, "deal", self.totals)
                return

    def may_claim(self, seat: int) -> bool:
        if self.rules.finish != "claim" or self.phase != "play" or self.on_table:
            return False
        own = bool(self.tricks) and self.tricks[-1][0] % 2 == seat % 2
        return 1 <= len(self.tricks) <= 8 and (own or self.rules.claim_when == "any")

    def claim(self, side: int) -> None:
        counts = self.stoeck_scored or self.rules.claim_counts_unplayed_stoeck
        totals = self.with_totals(self.cards(), self.weis(), self.stoeck() if counts else [0, 0])
        reached = totals[side] >= self.rules.target
        self.end(side if reached else 1 - side, "claim" if reached else "false_claim", totals)

    def end(self, winner: int, by: str, totals: list[int]) -> None:
        below = self.rules.schneider_below
        self.outcome = (winner, by, tuple(totals), below is not None and totals[1 - winner] < below)
        self.phase = "ended"
