"""Counting a Schieber deal, and deciding whether the match is over.

Source: docs/rules.md, Schieber: Match bonus, Weis, Stöck, End of the match.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from jasshaus.rules.core.cards import HAND_SIZE, side_of
from jasshaus.rules.core.options import Finish, StoeckTiming
from jasshaus.rules.schieber.events import DealScored, EndedBy, MatchEnded, StoeckScored
from jasshaus.rules.schieber.match import Match, stoeck_holder, tricks_won

STOECK_POINTS: Final = 20

Pair = tuple[int, int]


class Count(NamedTuple):
    """The points of a deal by side, before the multiplier."""

    cards: Pair
    weis: Pair
    stoeck: Pair


def count(match: Match, *, unplayed_stoeck: bool = False) -> Count:
    """Count each side's points in this deal so far; optionally with a Stöck that is not scored yet."""
    cards = [0, 0]
    for trick in match.tricks:
        cards[side_of(trick.winner)] += trick.points
    weis = [0, 0]
    won = tricks_won(match)
    for shown in match.weis_scored:
        side = side_of(shown.seat)
        if won[side] or not match.rules.weis_needs_trick:
            weis[side] += shown.points
    stoeck = [0, 0]
    holder = stoeck_holder(match)
    if holder is not None and (match.stoeck_scored or unplayed_stoeck):
        stoeck[side_of(holder)] = STOECK_POINTS
    return Count((cards[0], cards[1]), (weis[0], weis[1]), (stoeck[0], stoeck[1]))


def running_points(match: Match) -> Pair:
    """Return each side's points of this deal so far, after the multiplier, without the match bonus."""
    return _sum((0, 0), match.multiplier, *count(match))


def deal_score(match: Match) -> DealScored:
    """Count a deal whose nine tricks are played and whose Stöck, if any, is scored."""
    counted = count(match)
    won = tricks_won(match)
    bonus = match.rules.match_bonus
    bonuses = (bonus * (won[0] == HAND_SIZE), bonus * (won[1] == HAND_SIZE))
    score = _sum((0, 0), match.multiplier, *counted, bonuses)
    return DealScored(
        deal=match.deal,
        card_points=counted.cards,
        weis=counted.weis,
        stoeck=counted.stoeck,
        match_bonus=bonuses,
        multiplier=match.multiplier,
        score=score,
        totals=_sum(match.totals, 1, score),
    )


def ending_after_deal(match: Match) -> MatchEnded | None:
    """End the match after a scored deal if a side has reached the target; that of the last trick first."""
    first = side_of(match.tricks[-1].winner)
    for side in (first, 1 - first):
        if match.totals[side] >= match.rules.target:
            return _ended(match, side, EndedBy.DEAL, match.totals)
    return None


def ending_after_trick(match: Match) -> tuple[StoeckScored | MatchEnded, ...]:
    """End the match between two tricks of a deal if the rules end it there; otherwise nothing.

    finish=automatic: when a side has reached the target. finish=claim: only after trick 1, when both have. A
    Stöck not scored yet is scored with it if that makes its side reach the target.
    """
    played, early = count(match), count(match, unplayed_stoeck=_unplayed_stoeck_counts(match))
    verdict = _verdict(match, early)
    if verdict is None:
        return ()
    needed = _verdict(match, played) != verdict or _reached(match, *played) != _reached(match, *early)
    side, by = verdict
    if needed and by is EndedBy.AUTOMATIC:
        by = EndedBy.STOECK
    settled = early if needed else played
    ended = _ended(match, side, by, _sum(match.totals, match.multiplier, *settled))
    return (*_newly_scored_stoeck(match, settled), ended)


def _verdict(match: Match, counted: Count) -> tuple[int, EndedBy] | None:
    """Return who wins, and how, between two tricks with these points; None when the deal continues."""
    reached = _reached(match, *counted)
    first_trick = len(match.tricks) == 1
    ends = any(reached) if match.rules.finish is Finish.AUTOMATIC else first_trick and all(reached)
    if not ends:
        return None
    return _first_to_reach(match, counted) if first_trick else (_only(reached), EndedBy.AUTOMATIC)


def ending_by_stoeck(match: Match) -> MatchEnded | None:
    """End the match in mid-trick, under finish=automatic, if the Stöck just scored reaches the target."""
    if match.rules.finish is not Finish.AUTOMATIC or not match.stoeck_scored:
        return None
    counted = count(match)
    reached = _reached(match, *counted)
    if reached == (False, False):
        return None
    return _ended(match, _only(reached), EndedBy.STOECK, _sum(match.totals, match.multiplier, *counted))


def ending_by_claim(match: Match, seat: int) -> tuple[StoeckScored | MatchEnded, ...]:
    """End the match by a seat's claim: its side wins if it has reached the target, and loses otherwise.

    Counts tricks, Weis and Stöck (an unplayed one under claim_counts_unplayed_stoeck), no 5, no bonus.
    """
    counted = count(match, unplayed_stoeck=match.rules.claim_counts_unplayed_stoeck)
    side = side_of(seat)
    success = _reached(match, *counted)[side]
    winner, by = (side, EndedBy.CLAIM) if success else (1 - side, EndedBy.FALSE_CLAIM)
    ended = _ended(match, winner, by, _sum(match.totals, match.multiplier, *counted))
    return (*_newly_scored_stoeck(match, counted), ended)


def _unplayed_stoeck_counts(match: Match) -> bool:
    # stoeck_timing=end keeps the Stöck for the end of the deal, unless a claim would count it anyway.
    rules = match.rules
    return rules.stoeck_timing is StoeckTiming.SECOND_CARD or rules.claim_counts_unplayed_stoeck


def _first_to_reach(match: Match, counted: Count) -> tuple[int, EndedBy]:
    """Return who is over first in the order Stöck, Weis, Stich; the caller knows that someone is.

    No stage can bring both over at once: one seat holds the Stöck, one side has the Weis, one won the trick.
    """
    for by, parts in (
        (EndedBy.STOECK, (counted.stoeck,)),
        (EndedBy.WEIS, (counted.stoeck, counted.weis)),
    ):
        reached = _reached(match, *parts)
        if any(reached):
            return _only(reached), by
    return side_of(match.tricks[0].winner), EndedBy.STICH


def _only(reached: tuple[bool, bool]) -> int:
    assert reached[0] != reached[1], "both sides reached at one moment"
    return int(reached[1])


def _reached(match: Match, *parts: Pair) -> tuple[bool, bool]:
    totals = _sum(match.totals, match.multiplier, *parts)
    return totals[0] >= match.rules.target, totals[1] >= match.rules.target


def _sum(base: Pair, multiplier: int, *parts: Pair) -> Pair:
    first, second = base
    for part in parts:
        first += multiplier * part[0]
        second += multiplier * part[1]
    return first, second


def _newly_scored_stoeck(match: Match, counted: Count) -> tuple[StoeckScored, ...]:
    holder = stoeck_holder(match)
    if holder is None or match.stoeck_scored or not any(counted.stoeck):
        return ()
    return (StoeckScored(holder, STOECK_POINTS),)


def _ended(match: Match, winner: int, by: EndedBy, totals: Pair) -> MatchEnded:
    below = match.rules.schneider_below
    return MatchEnded(winner, by, totals, schneider=below is not None and totals[1 - winner] < below)
