"""The demo's players: rules of thumb on a view, the same choice for the same view.

They are ordinary clients: what they may do stands in the view, and what they know is what the view shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

from jasshaus.api.table.v1.table_pb2 import Action, TableView
from jasshaus.cli.demo import differenzler as player_differenzler
from jasshaus.client import actions
from jasshaus.contracts.rules import (
    card_to_proto,
    contract_from_proto,
    contract_to_proto,
    rule_set_from_proto,
)
from jasshaus.rules.core.cards import DECK_SIZE, STRENGTH, Contract, Rank, next_seat, points_table, side_of
from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.core.tricks import trick_points, trick_winner
from jasshaus.rules.schieber.scoring import STOECK_POINTS

#                       6  7  8  9   T   U   O   K   A
_TRUMP_WORTH: Final = (9, 9, 9, 17, 10, 26, 11, 12, 15)
_ACE_WORTH: Final = 11
_RUNNING_WORTH: Final = 17
_BARE_HAND: Final = 22
_FAIR_SHARE: Final = 75
_RICH_TRICK: Final = 10
_STRONGEST: Final = 8


def choose(view: TableView) -> Action | None:
    """Return what to do on a table's view, None when nothing is asked.

    In a Schieber only who leads claims, instead of leading: were the partner to claim too, the quicker of
    them would decide the match.
    """
    if view.legal_actions.come_back:
        return actions.come_back()
    return player_differenzler.choose(view) if view.HasField("differenzler") else _choose(view)


def _choose(view: TableView) -> Action | None:
    legal = view.legal_actions
    if legal.contracts:
        return _choose_contract(view)
    if legal.declare_weis:
        return actions.declare_weis(legal.best_weis)
    if not legal.cards:
        return None
    if legal.claim and has_enough(view):
        return actions.claim()
    deal = Deal.of(view)
    legal_cards = [card - 1 for card in legal.cards]
    return actions.play_card(
        card_to_proto(deal.follow(legal_cards) if deal.table else deal.lead(legal_cards))
    )


def has_enough(view: TableView) -> bool:
    """Whether the viewer's side has surely reached the target by what the viewer has seen and holds."""
    deal, rules = Deal.of(view), rule_set_from_proto(view.rule_set)
    side = side_of(deal.seat)
    won = [trick for trick in view.tricks if side_of(trick.winner) == side]
    points = sum(
        trick_points([card - 1 for card in trick.cards], deal.contract, rules.une_points, last=False)
        for trick in won
    )
    if won or not rules.weis_needs_trick:
        points += sum(
            weis.points
            for declared in view.weis
            if declared.scored and side_of(declared.seat) == side
            for weis in declared.weis
            # Those of a seat that did not score keep their cards hidden.
            if weis.cards
        )
    if rules.claim_counts_unplayed_stoeck and deal.has_stoeck(view):
        points += STOECK_POINTS
    return view.schieber.totals[side] + points * rules.multipliers[deal.contract] >= rules.target


def _choose_contract(view: TableView) -> Action:
    hand = [card - 1 for card in view.hand]
    rules = rule_set_from_proto(view.rule_set)
    offered = [contract_from_proto(each) for each in view.legal_actions.contracts]
    # The multiplier serves both sides, so it weighs what the hand is better than a fair share.
    best = max(offered, key=lambda each: (_worth(hand, each) - _FAIR_SHARE) * rules.multipliers[each])
    if view.legal_actions.push and _worth(hand, best) < _FAIR_SHARE:
        return actions.push()
    return actions.choose_contract(contract_to_proto(best))


def _worth(hand: list[int], contract: Contract) -> int:
    """Return roughly what the viewer's side makes with the hand, in card points."""
    if contract < Contract.OBENABE:
        trumps = sum(_TRUMP_WORTH[card % 9] for card in hand if card // 9 == contract)
        aces = sum(card % 9 == Rank.ACE and card // 9 != contract for card in hand)
        return _BARE_HAND + trumps + _ACE_WORTH * aces
    running = 0
    for suit in range(4):
        strengths = {STRENGTH[contract][card] for card in hand if card // 9 == suit}
        best = _STRONGEST
        while best in strengths:
            running += 1
            best -= 1
    return _BARE_HAND + _RUNNING_WORTH * running


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal as its viewer sees it, in the rules' numbers: cards 0 to 35."""

    seat: int
    contract: Contract
    leader: int
    table: list[int]  # the cards of the trick so far
    unseen: list[int]  # the cards in the other three hands
    points: tuple[int, ...]  # by card

    @classmethod
    def of(cls, view: TableView) -> Self:
        """Read a view on which a card is expected."""
        rules: RuleSet = rule_set_from_proto(view.rule_set)
        contract = contract_from_proto(view.contract)
        played = [card for trick in (*view.tricks, view.trick) for card in trick.cards]
        seen = {card - 1 for card in (*view.hand, *played)}
        return cls(
            seat=view.viewer_seat,
            contract=contract,
            leader=view.trick.leader,
            table=[card - 1 for card in view.trick.cards],
            unseen=[card for card in range(DECK_SIZE) if card not in seen],
            points=points_table(contract, rules.une_points),
        )

    def lead(self, legal: list[int]) -> int:
        """Cash what cannot be beaten, trumps first while others have some; else give away little."""
        trumps_out = any(map(self.is_trump, self.unseen))
        bosses = [card for card in legal if self.is_boss(card)]
        trump_bosses = [card for card in bosses if self.is_trump(card)]
        if trump_bosses and trumps_out:
            return max(trump_bosses, key=self.strength)
        plain_bosses = [card for card in bosses if not self.is_trump(card)]
        if plain_bosses:
            return max(plain_bosses, key=lambda card: (self.points[card], card))
        return min(legal, key=self.cost)

    def follow(self, legal: list[int]) -> int:
        """Feed the partner's sure trick, take what is worth taking, else give away little."""
        holder = trick_winner(self.table, self.contract)
        winning = self.table[holder]
        partners = side_of(next_seat(self.leader, holder)) == side_of(self.seat)
        last = len(self.table) == 3  # noqa: PLR2004 - a trick has four cards
        if partners and (last or self.is_boss(winning)):
            plain = [card for card in legal if not self.is_trump(card)] or legal
            return max(plain, key=lambda card: (self.points[card], -self.strength(card), card))
        winners = [card for card in legal if self.beats(card, winning)]
        if winners and not partners:
            if last:
                return min(winners, key=lambda card: (self.is_trump(card), -self.points[card], card))
            rich = sum(self.points[card] for card in self.table) >= _RICH_TRICK
            sure = [card for card in winners if self.is_boss(card)]
            if rich or sure:
                return max(
                    sure or winners, key=lambda card: (not self.is_trump(card), self.strength(card), card)
                )
        return min(legal, key=self.cost)

    def is_trump(self, card: int) -> bool:
        """Whether the card is of the trump suit."""
        return card // 9 == self.contract

    def strength(self, card: int) -> int:
        """Return the card's strength within its suit, a trump's above every other card's."""
        return STRENGTH[self.contract][card]

    def cost(self, card: int) -> tuple[bool, int, int, int]:
        """Order cards by how little it hurts to lose them."""
        return self.is_trump(card), self.points[card], self.strength(card), card

    def beats(self, card: int, other: int) -> bool:
        """Whether the card played later takes the trick from the other one."""
        comparable = card // 9 == other // 9 or self.is_trump(card)
        return comparable and self.strength(card) > self.strength(other)

    def is_boss(self, card: int) -> bool:
        """Whether no card of its suit in the other hands beats it."""
        return not any(other // 9 == card // 9 and self.beats(other, card) for other in self.unseen)

    def has_stoeck(self, view: TableView) -> bool:
        """Whether the viewer holds or held trump ober and king, or its partner has played both."""
        if self.contract >= Contract.OBENABE:
            return False
        pair = {self.contract * 9 + Rank.OBER + 1, self.contract * 9 + Rank.KING + 1}
        partner = next_seat(self.seat, 2)
        by_seat: dict[int, set[int]] = {seat: set() for seat in range(4)}
        for trick in view.tricks:
            for place, card in enumerate(trick.cards):
                by_seat[next_seat(trick.leader, place)].add(card)
        return pair <= {*view.hand, *by_seat[self.seat]} or pair <= by_seat[partner]
