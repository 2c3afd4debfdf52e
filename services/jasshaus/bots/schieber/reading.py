"""What a player can work out from its view: cards still out, the winner of a trick, its side's points."""

from __future__ import annotations

from dataclasses import dataclass

from jasshaus.rules.core.cards import (
    FULL_DECK,
    HIGHER,
    SUIT_MASKS,
    Contract,
    Rank,
    mask_of,
    next_seat,
    side_of,
)
from jasshaus.rules.core.tricks import trick_points, trick_winner
from jasshaus.rules.schieber import STOECK, View
from jasshaus.rules.schieber.scoring import STOECK_POINTS


@dataclass(frozen=True, slots=True)
class Reading:
    """One moment of play, as seen by seat `seat`."""

    seat: int
    contract: Contract
    unseen: int  # mask of the cards in the other three hands
    voids: tuple[int, int, int, int]  # by seat, mask of the suits it cannot have any more

    def is_boss(self, card: int) -> bool:
        """Return whether no card of its suit still out beats a card."""
        return not HIGHER[self.contract][card] & self.unseen

    def may_ruff(self, seat: int, suit: int) -> bool:
        """Return whether a seat might trump a trick led in a plain suit."""
        if self.contract >= Contract.OBENABE or suit == self.contract:
            return False
        trumps = self.unseen & SUIT_MASKS[self.contract]
        return bool(trumps) and not self.voids[seat] & trumps


def read(view: View, seat: int, contract: Contract) -> Reading:
    """Read a view in mid-deal."""
    seen = mask_of(view.hand) | mask_of(view.table)
    voids = [0, 0, 0, 0]
    for leader, cards in (*((trick.leader, trick.cards) for trick in view.tricks), (view.leader, view.table)):
        seen |= mask_of(cards)
        for place, card in enumerate(cards):
            # Trumping a plain lead reveals nothing about the led suit.
            if card // 9 not in (cards[0] // 9, contract):
                voids[next_seat(leader or 0, place)] |= _shown_void(cards[0] // 9, contract)
    return Reading(seat, contract, FULL_DECK & ~seen, (voids[0], voids[1], voids[2], voids[3]))


def _shown_void(suit: int, contract: Contract) -> int:
    # A player who does not follow trumps may still hold the Under.
    return SUIT_MASKS[suit] & ~(1 << suit * 9 + Rank.UNDER) if suit == contract else SUIT_MASKS[suit]


def winning_seat(view: View, contract: Contract) -> int:
    """Return the seat whose card is winning the current trick."""
    return next_seat(view.leader or 0, trick_winner(view.table, contract))


def has_certainly_reached(view: View, seat: int) -> bool:
    """Return whether a claim by this seat surely wins, counting only what it has seen."""
    rules, contract, side = view.rules, view.contract, side_of(seat)
    if contract is None:
        return False
    points = sum(
        trick_points(trick.cards, contract, rules.une_points, last=False)
        for trick in view.tricks
        if side_of(trick.winner) == side
    )
    if view.tricks_won[side] or not rules.weis_needs_trick:
        points += sum(shown.points for shown in view.weis_shown if side_of(shown.seat) == side)
    if _stoeck_counts(view, seat, contract):
        points += STOECK_POINTS
    return view.totals[side] + view.multiplier * points >= rules.target


def _stoeck_counts(view: View, seat: int, contract: Contract) -> bool:
    if view.stoeck is not None:
        return side_of(view.stoeck) == side_of(seat)
    if contract >= Contract.OBENABE or not view.rules.claim_counts_unplayed_stoeck:
        return False
    pair = STOECK[contract]
    partner = next_seat(seat, 2)
    own = mask_of(view.hand) | _played_by(view, seat)
    partners = _played_by(view, partner)
    for shown in view.weis_shown:
        if shown.seat == partner:
            partners |= shown.weis.cards
    return pair in (own & pair, partners & pair)


def _played_by(view: View, seat: int) -> int:
    return mask_of(trick.cards[(seat - trick.leader) & 3] for trick in view.tricks)
