"""Facts about the other hands in a Schieber.

Besides facts from cards played: Weis that scored, kind and length of those declared but not shown, and,
if the table declares for everybody, that a hand has nothing better. A seat that voluntarily declares nothing
is assumed to have nothing: not a certainty, but Weis are seldom hidden.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from jasshaus.bots.core.knowledge import Knowledge, first_forehand_holds, knowledge, plays_of, shown_voids
from jasshaus.rules.core.cards import FULL_DECK
from jasshaus.rules.core.options import RuleSet, WeisDeclaration
from jasshaus.rules.core.weis import ShownWeis, WeisNotice, candidates, notice_of
from jasshaus.rules.schieber import View


def know(view: View, seat: int) -> Knowledge:
    """Return what seat `seat` can conclude from its view of a Schieber deal."""
    tricks = plays_of(view.tricks, view.leader, view.table)
    shown = [0, 0, 0, 0]
    for each in view.weis_shown:
        shown[each.seat] |= each.weis.cards
    voids = [0, 0, 0, 0]
    if view.contract is not None:
        voids = shown_voids(tricks, view.contract, view.rules.undertrump)
    first_forehand_holds(view.rules, view.deal, view.forehand, shown)
    base = knowledge(seat, view.hand, view.hand_sizes, tricks, voids, shown)
    sets = tuple(() if other == seat else _unshown(view, base, other) for other in range(4))
    by_itself = view.rules.weis_declaration is WeisDeclaration.AUTOMATIC
    told = tuple(
        notices if other != seat and (by_itself or notices == ()) else None
        for other, notices in enumerate(view.notices)
    )
    return replace(base, sets=sets, rules=view.rules, contract=view.contract, told=told)


def _unshown(view: View, base: Knowledge, seat: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each Weis a seat declared and did not show, the cards it may consist of."""
    notices = list(view.notices[seat] or ())
    for shown in view.weis_shown:
        if shown.seat == seat and _notice(shown) in notices:
            notices.remove(_notice(shown))
    possible = (base.unseen & ~base.voids[seat]) | base.played[seat]
    return tuple(
        tuple(cards for cards in _weis_like(notice, view.rules) if not cards & ~possible)
        for notice in notices
    )


def _notice(shown: ShownWeis) -> WeisNotice:
    return WeisNotice(shown.weis.kind, shown.weis.length, shown.points)


@lru_cache(maxsize=256)
def _weis_like(notice: WeisNotice, rules: RuleSet) -> tuple[int, ...]:
    """Return the cards of every Weis with the same announcement."""
    return tuple(weis.cards for weis in candidates(FULL_DECK, rules) if notice_of(weis, rules) == notice)
