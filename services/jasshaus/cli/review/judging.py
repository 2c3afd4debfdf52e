"""Judges decisions by what the player knew, compared with the `strong` bot's choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Final, assert_never

from jasshaus.bots import strong
from jasshaus.bots.schieber.contracts import contract_values
from jasshaus.bots.schieber.likely import WALK
from jasshaus.bots.schieber.reading import has_certainly_reached
from jasshaus.rules import differenzler, schieber
from jasshaus.rules.core.cards import next_seat, side_of
from jasshaus.rules.core.options import WeisAward
from jasshaus.rules.core.weis import Weis, strength, weis_points
from jasshaus.rules.registry import Command, Match, claimants, decide, view
from jasshaus.rules.schieber import View

#: A difference counts above this many standard errors: less may be luck in the sampled deals.
#: More than the usual two, because the best of several choices is taken, which gives luck several chances.
_CLEARLY: Final = 2.5

#: Commands that are tried in sampled deals.
Tried = schieber.PlayCard | schieber.ChooseContract | schieber.Push


@dataclass(frozen=True, slots=True)
class Choice:
    """A card, a contract or a push, compared with strong's choice, and the cost of the difference.

    The cost of a card is in points of the player's side, multiplied, or in penalty points in Differenzler.
    That of a contract or a push is in points of the side's lead over the other, multiplied. `error` is its
    standard error. `choices` is the number of legal choices. `trick` is 1..9, or 0 before the first card.
    """

    done: Tried
    best: Tried
    cost: float
    error: float
    choices: int
    deal: int = 1
    trick: int = 0

    @property
    def seat(self) -> int:
        """Return the seat that chose."""
        return self.done.seat

    @property
    def differs(self) -> bool:
        """Return whether strong's choice is clearly better."""
        return self.cost > _CLEARLY * self.error

    @property
    def forced(self) -> bool:
        """Return whether there was no other legal choice."""
        return self.choices == 1


@dataclass(frozen=True, slots=True)
class Declaration:
    """Declared Weis and the best list; `at_most` bounds the cost of the difference.

    `declared` and `best` are Weis with their points before the multiplier, `at_most` is multiplied.
    """

    seat: int
    declared: tuple[tuple[Weis, int], ...]
    best: tuple[tuple[Weis, int], ...]
    at_most: int


@dataclass(frozen=True, slots=True)
class ClaimMade:
    """A claim; `certain`: the seat could know that its side had enough; `true`: its side had enough."""

    seat: int
    certain: bool
    true: bool


@dataclass(frozen=True, slots=True)
class ClaimMissed:
    """A moment at which a seat knew that its side had enough but did not claim; `lost`: its side lost."""

    seat: int
    lost: bool


@dataclass(frozen=True, slots=True)
class Figure:
    """An announcement compared with strong's; `made` is None until the deal is scored."""

    seat: int
    announced: int
    strongs: int
    made: int | None = None


Judgement = Choice | Declaration | ClaimMade | ClaimMissed | Figure


def judge(match: Match, command: Command, worlds: int, rng_seed: int) -> Judgement | None:
    """Judge a legal command, trying choices in `worlds` sampled deals; None if there was no decision."""
    match command:
        case schieber.PlayCard() | schieber.ChooseContract() | schieber.Push():
            return _choice(match, command, worlds, rng_seed)
        case schieber.DeclareWeis():
            assert isinstance(match, schieber.Match)
            return _declaration(match, command)
        case schieber.Claim(seat):
            assert isinstance(match, schieber.Match)
            certain = has_certainly_reached(schieber.view(match, seat), seat)
            return ClaimMade(seat, certain, true=schieber.Claimed(seat, True) in decide(match, command))
        case differenzler.Announce(seat, points):
            strongs = strong.choose(view(match, seat), rng_seed, None, 1)
            assert isinstance(strongs, differenzler.Announce)
            return Figure(seat, points, strongs.points)
        case schieber.StartDeal():
            return None
        case _:
            assert_never(command)


def missed_claims(match: Match, winner: int | None) -> Iterator[ClaimMissed]:
    """List the seats that could safely claim now and did not; `winner` is the side that won later."""
    if not isinstance(match, schieber.Match):
        return
    for seat in claimants(match):
        if has_certainly_reached(schieber.view(match, seat), seat):
            yield ClaimMissed(seat, lost=winner not in {None, side_of(seat)})


def _choice(match: Match, command: Tried, worlds: int, rng_seed: int) -> Choice:
    values, factor = _values(match, command, worlds, rng_seed)
    # The actual choice comes first, so that it wins ties.
    best = max([command, *values], key=lambda choice: sum(values[choice]))
    gaps = [factor * (better - done) for better, done in zip(values[best], values[command], strict=True)]
    cost, error = _mean_and_error(gaps)
    trick = len(match.tricks) + 1 if isinstance(command, schieber.PlayCard) else 0
    return Choice(command, best, cost, error, len(values), match.deal, trick)


def _values(
    match: Match, command: Tried, worlds: int, rng_seed: int
) -> tuple[dict[Tried, Sequence[float]], int]:
    """Return each choice's values in the sampled deals, and the factor to multiply them by."""
    seen = view(match, command.seat)
    assert seen.legal is not None
    if not isinstance(command, schieber.PlayCard):
        assert isinstance(seen, View)
        return {choice: each for choice, each in contract_values(seen, rng_seed, worlds).items()}, 1  # noqa: C416
    if len(seen.legal.cards) == 1:
        return {command: ()}, 1
    of_cards = strong.card_values(seen, rng_seed, worlds)
    factor = match.multiplier if isinstance(match, schieber.Match) else 1
    return {schieber.PlayCard(command.seat, card): each for card, each in of_cards.items()}, factor


def _mean_and_error(sample: Sequence[float]) -> tuple[float, float]:
    """Return the mean of the gaps in sampled deals, and its standard error.

    Deals of one walk are correlated, so the error of the walks' means is computed, too; the greater one is
    returned.
    """
    walks = [fmean(sample[start : start + WALK]) for start in range(0, len(sample) - WALK + 1, WALK)]
    return fmean(sample) if sample else 0.0, max(_error(sample), _error(walks))


def _error(sample: Sequence[float]) -> float:
    return stdev(sample) / sqrt(len(sample)) if len(sample) > 1 else 0.0


def _declaration(match: schieber.Match, command: schieber.DeclareWeis) -> Declaration | None:
    seen = schieber.view(match, command.seat)
    assert seen.legal is not None
    best = seen.legal.weis_recommended
    if not best:
        return None
    priced = [
        tuple((weis, weis_points(weis, match.rules)) for weis in several) for several in (command.weis, best)
    ]
    at_most = match.multiplier * _most_lost(seen, command.seat, command.weis, best)
    return Declaration(command.seat, priced[0], priced[1], at_most)


def _most_lost(seen: View, seat: int, declared: Sequence[Weis], best: Sequence[Weis]) -> int:
    """Return the points a declaration may have lost against the best list, as far as the seat could know."""
    rules, contract = seen.rules, seen.contract
    assert contract is not None
    team = rules.weis_award is WeisAward.TEAM_ALL

    def points(several: Sequence[Weis]) -> list[int]:
        return [weis_points(weis, rules) for weis in several] or [0]

    def highest(several: Sequence[Weis]) -> tuple[int, ...]:
        return max((strength(weis, contract, rules) for weis in several), default=())

    def worth(several: Sequence[Weis]) -> int:
        return sum(points(several)) if team else max(points(several))

    partner = next_seat(seat, 2)
    with_it, against = points(best), [0]
    for other, notices in enumerate(seen.notices):
        shared = team and other == partner
        (with_it if shared else against).extend(notice.points for notice in notices or ())
    if max(against) > max(with_it):
        return 0
    # A better best Weis may have beaten another side's, so that the whole list depends on it.
    kept = 0 if highest(best) > highest(declared) else worth(declared)
    return max(0, worth(best) - kept)
