"""The greedy bot at a Schieber: pulls trumps, cashes winners, feeds its partner, wastes nothing."""

from __future__ import annotations

from typing import Final

from jasshaus.bots.schieber.reading import Reading, has_certainly_reached, read, winning_seat
from jasshaus.rules.core.cards import (
    HIGHER,
    STRENGTH,
    SUIT_MASKS,
    Contract,
    Rank,
    mask_of,
    next_seat,
    points_table,
    side_of,
)
from jasshaus.rules.core.options import RuleSet
from jasshaus.rules.registry import Command
from jasshaus.rules.schieber import ChooseContract, Claim, DeclareWeis, PlayCard, Push, View

# Rough worth of a trump by rank, and of plain cards, in expected points of a deal for one's side.
#                             6   7   8   9   T   U   O   K   A
_TRUMP_WORTH: Final = (9, 9, 9, 17, 10, 26, 11, 12, 15)
_ACE_WORTH: Final = 11
_BARE_HAND: Final = 22
_RUNNING_CARD: Final = 17
_GUARDED_SECOND: Final = 7
PUSH_BELOW: Final = 80
FAIR_SHARE: Final = 75

_RICH_TRICK: Final = 10


def choose(view: View, seat: int, rng_seed: int) -> Command:
    """Return a legal command for the view's seat; the seed decides between equals.

    Claims exactly when it has surely counted enough, also out of turn. Raises ValueError when nothing is
    asked of the seat and it would not claim.
    """
    legal = view.legal
    assert legal is not None
    if legal.can_claim and has_certainly_reached(view, seat):
        return Claim(seat)
    if legal.contracts:
        return _choose_contract(view, seat, can_push=legal.can_push)
    if legal.can_declare_weis:
        return DeclareWeis(seat, legal.weis_recommended)
    if legal.cards and view.contract is not None:
        return PlayCard(seat, _choose_card(view, seat, view.contract, legal.cards, rng_seed))
    raise ValueError("nothing is asked of this seat")


def _choose_contract(view: View, seat: int, *, can_push: bool) -> Command:
    hand = mask_of(view.hand)
    if can_push and not is_worth_choosing(hand, view.rules):
        return Push(seat)
    return ChooseContract(seat, best_contract(hand, view.rules))


def best_contract(hand: int, rules: RuleSet) -> Contract:
    """Return the contract that the rules of thumb name with a hand, a mask of cards."""
    worth = expected_points(hand)
    # The multiplier serves both sides, so it weighs the surplus over a fair share, not the points.
    return max(Contract, key=lambda contract: rules.multipliers[contract] * (worth[contract] - FAIR_SHARE))


def is_worth_choosing(hand: int, rules: RuleSet) -> bool:
    """Return whether the rules of thumb choose with a hand rather than push."""
    return expected_points(hand)[best_contract(hand, rules)] >= PUSH_BELOW


def expected_points(hand: int) -> list[int]:
    """Return by contract the approximate points that a hand, a mask, brings its side in a deal."""
    a, b, c, d = hand & 511, hand >> 9 & 511, hand >> 18 & 511, hand >> 27
    plain = _BARE_HAND + _PLAIN[a] + _PLAIN[b] + _PLAIN[c] + _PLAIN[d]
    points = [plain + _TRUMP[ranks] - _PLAIN[ranks] for ranks in (a, b, c, d)]
    points += [_BARE_HAND + kind[a] + kind[b] + kind[c] + kind[d] for kind in (_OBENABE, _UNENUFE)]
    return points


def _worth_as_trumps(ranks: int) -> int:
    return sum(worth for rank, worth in enumerate(_TRUMP_WORTH) if ranks >> rank & 1)


def _worth_beside_trumps(ranks: int) -> int:
    if not ranks >> Rank.ACE & 1:
        return 0
    return _ACE_WORTH + (_GUARDED_SECOND if ranks >> Rank.KING & 1 else 0)


def _worth_without_trumps(ranks: int, contract: Contract) -> int:
    held = [rank for rank in Rank if ranks >> rank & 1]
    missing = SUIT_MASKS[0] & ~ranks
    running = sum(not HIGHER[contract][rank] & missing for rank in held)
    if running:
        return _RUNNING_CARD * running
    one_short = any((HIGHER[contract][rank] & missing).bit_count() == 1 for rank in held)
    return _GUARDED_SECOND if one_short and len(held) > 1 else 0


#: What the ranks held in a suit are worth, by their mask.
_TRUMP: Final = [_worth_as_trumps(ranks) for ranks in range(1 << 9)]
_PLAIN: Final = [_worth_beside_trumps(ranks) for ranks in range(1 << 9)]
_OBENABE: Final = [_worth_without_trumps(ranks, Contract.OBENABE) for ranks in range(1 << 9)]
_UNENUFE: Final = [_worth_without_trumps(ranks, Contract.UNENUFE) for ranks in range(1 << 9)]


def _choose_card(view: View, seat: int, contract: Contract, cards: tuple[int, ...], rng_seed: int) -> int:
    if len(cards) == 1:
        return cards[0]
    reading = read(view, seat, contract)
    # Rotating the candidates lets the seed decide between cards judged equal.
    turn = rng_seed % len(cards)
    cards = cards[turn:] + cards[:turn]
    return _lead(view, reading, cards) if not view.table else _follow(view, reading, cards)


def _lead(view: View, reading: Reading, cards: tuple[int, ...]) -> int:
    points = points_table(reading.contract, view.rules.une_points)
    opponents = (next_seat(reading.seat, 1), next_seat(reading.seat, 3))
    trumps = [card for card in cards if card // 9 == reading.contract]
    ours = view.chooser is not None and side_of(view.chooser) == side_of(reading.seat)
    if ours and trumps and any(_may_hold_trumps(reading, seat) for seat in opponents):
        bosses = [card for card in trumps if reading.is_boss(card)]
        if bosses:
            return bosses[0]
        if view.chooser == reading.seat and len(view.tricks) < 2:  # noqa: PLR2004 - afterwards trumps are dear
            return min(trumps, key=lambda card: (points[card], STRENGTH[reading.contract][card]))
    safe = [
        card
        for card in cards
        if reading.is_boss(card)
        and card // 9 != reading.contract
        and not any(_ruffs(reading, seat, card // 9) for seat in opponents)
    ]
    if safe:
        return max(safe, key=lambda card: (_length(cards, card), points[card]))
    return _cheapest(reading, points, cards)


def _may_hold_trumps(reading: Reading, seat: int) -> bool:
    return bool(reading.unseen & SUIT_MASKS[reading.contract] & ~reading.voids[seat])


def _ruffs(reading: Reading, seat: int, suit: int) -> bool:
    follows = reading.unseen & SUIT_MASKS[suit] & ~reading.voids[seat]
    return not follows and reading.may_ruff(seat, suit)


def _length(cards: tuple[int, ...], card: int) -> int:
    return sum(other // 9 == card // 9 for other in cards)


def _follow(view: View, reading: Reading, cards: tuple[int, ...]) -> int:
    contract = reading.contract
    points = points_table(contract, view.rules.une_points)
    winner = winning_seat(view, contract)
    winning_card = view.table[(winner - (view.leader or 0)) & 3]
    last = len(view.table) == 3  # noqa: PLR2004 - three cards lie, ours is the fourth
    winners = [card for card in cards if _beats(card, winning_card, contract)]
    if winner == next_seat(reading.seat, 2) and (last or _stands(view, reading, winning_card)):
        return _feed(reading, points, cards)
    at_stake = sum(points[card] for card in view.table)
    sure = winners if last else [card for card in winners if _stands(view, reading, card)]
    plain = [card for card in sure if card // 9 != contract]
    if plain:
        # The last player wins with the most valuable card it can, the others with their boss.
        return max(plain, key=lambda card: points[card])
    if sure and (at_stake >= _RICH_TRICK or view.table[0] // 9 == contract or last):
        return min(sure, key=lambda card: (points[card], STRENGTH[contract][card]))
    return _cheapest(reading, points, cards)


def _beats(card: int, other: int, contract: Contract) -> bool:
    if card // 9 == other // 9:
        return STRENGTH[contract][card] > STRENGTH[contract][other]
    return card // 9 == contract


def _stands(view: View, reading: Reading, card: int) -> bool:
    """Return whether a card, winning now, will surely win against the opponent still to play."""
    if not reading.is_boss(card):
        return False
    after = [next_seat(reading.seat, steps) for steps in range(1, 4 - len(view.table))]
    rivals = [seat for seat in after if side_of(seat) != side_of(reading.seat)]
    return card // 9 == reading.contract or not any(
        _ruffs(reading, seat, view.table[0] // 9) for seat in rivals
    )


def _feed(reading: Reading, points: tuple[int, ...], cards: tuple[int, ...]) -> int:
    """Give the partner's trick the most points, keeping trumps and cards that win later."""

    def gift(card: int) -> int:
        if card // 9 == reading.contract:
            return points[card] - 30
        return points[card] - (8 if reading.is_boss(card) else 0)

    return max(cards, key=gift)


def _cheapest(reading: Reading, points: tuple[int, ...], cards: tuple[int, ...]) -> int:
    """Give away the least: few points, no trump, no boss, nothing that guards one."""

    def price(card: int) -> int:
        strength = STRENGTH[reading.contract][card] % 9
        kept = 25 if card // 9 == reading.contract else 0
        return 3 * points[card] + strength + kept + (12 if reading.is_boss(card) else 0)

    return min(cards, key=price)
