"""Counting a Differenzler deal, and deciding who has won or whether one more deal is played.

Source: docs/rules.md, Differenzler.
"""

from __future__ import annotations

from jasshaus.rules.core.cards import BySeat
from jasshaus.rules.core.options import TieRoundEligible
from jasshaus.rules.differenzler.events import PenaltiesScored, RoundsEnded
from jasshaus.rules.differenzler.match import Match, points_made


def penalty(announced: int, made: int, exact_bonus: int) -> int:
    """Return what a deal adds to a total: the difference, less the bonus for an exact hit of more than 0."""
    if announced == made:
        return -exact_bonus if announced else 0
    return abs(made - announced)


def penalties_scored(match: Match) -> PenaltiesScored:
    """Count a deal whose nine tricks are played."""
    announced, made = _all_announced(match), points_made(match)
    bonus = match.rules.exact_bonus
    penalties = tuple(penalty(said, done, bonus) for said, done in zip(announced, made, strict=True))
    return PenaltiesScored(match.deal, announced, made, penalties, _sum(match.totals, penalties))


def contenders_after(match: Match) -> tuple[int, ...]:
    """List the seats that can win from here on, after a counted deal: in a tie of tied_only, those tied."""
    tied = least(match)
    narrows = match.rules.tie_round_eligible is TieRoundEligible.TIED_ONLY
    return tied if narrows and match.deal >= match.rules.rounds else match.contenders


def least(match: Match) -> tuple[int, ...]:
    """List the contenders with the least total."""
    lowest = min(match.totals[seat] for seat in match.contenders)
    return tuple(seat for seat in match.contenders if match.totals[seat] == lowest)


def ending_after_deal(match: Match) -> RoundsEnded | None:
    """End the match after a counted deal if the rounds are played and one contender alone has least."""
    if match.deal < match.rules.rounds or len(least(match)) > 1:
        return None
    return RoundsEnded(least(match)[0], match.totals)


def _all_announced(match: Match) -> BySeat:
    first, second, third, fourth = match.announced
    assert first is not None
    assert second is not None
    assert third is not None
    assert fourth is not None
    return first, second, third, fourth


def _sum(totals: BySeat, added: BySeat) -> BySeat:
    return tuple(total + more for total, more in zip(totals, added, strict=True))
