"""The Schieber state machine: decides what a command does, and applies events.

`decide` is the only judge of a command, `apply` the only way a match changes; replaying the events of a match
gives the same match. Source: docs/rules.md, Schieber.
"""

from __future__ import annotations

from typing import assert_never

from jasshaus.rules.core.cards import HAND_SIZE, SEATS, next_seat
from jasshaus.rules.core.dealing import start_deal
from jasshaus.rules.core.events import CardPlayed, DealStarted, PlayCard, StartDeal, TrickWon
from jasshaus.rules.core.frozen import replace
from jasshaus.rules.core.options import StoeckTiming, WeisDeclaration, WeisWhen
from jasshaus.rules.core.refusals import Reason, RuleViolation, allow
from jasshaus.rules.core.tricks import Trick, hands_without, trick_points, trick_winner
from jasshaus.rules.core.unfolding import unfold
from jasshaus.rules.core.weis import Weis, award, best_declaration, notice_of, why_undeclarable
from jasshaus.rules.schieber import scoring
from jasshaus.rules.schieber.actions import (
    why_no_claim,
    why_no_weis,
    why_not_playable,
    why_not_to_choose,
)
from jasshaus.rules.schieber.events import (
    ChooseContract,
    Claim,
    Claimed,
    Command,
    ContractChosen,
    DealScored,
    DeclareWeis,
    EndedBy,
    Event,
    MatchEnded,
    Push,
    Pushed,
    StoeckScored,
    WeisDeclared,
    WeisScored,
)
from jasshaus.rules.schieber.match import (
    NONE_DECLARED,
    Match,
    Phase,
    stoeck_holder,
    stoeck_played,
)


def decide(match: Match, command: Command) -> tuple[Event, ...]:
    """Return the events that a command causes, including all consequences: trick, Weis, Stöck, scores, end.

    Raises RuleViolation if the rules do not allow the command; the match is then unchanged.
    """
    return advance(match, command)[1]


def advance(match: Match, command: Command) -> tuple[Match, tuple[Event, ...]]:
    """Return the match after a command, and its events: `decide` and `replay` in one step."""
    return unfold(match, _answer(match, command), apply, _consequences)


def replay(match: Match, events: tuple[Event, ...] | list[Event]) -> Match:
    """Apply events in order."""
    for event in events:
        match = apply(match, event)
    return match


def _answer(match: Match, command: Command) -> tuple[Event, ...]:
    if match.phase is Phase.ENDED:
        raise RuleViolation(Reason.MATCH_ENDED)
    match command:
        case StartDeal():
            allow(None if match.phase is Phase.DEAL else Reason.DEAL_NOT_DUE)
            return (start_deal(command, match.deal, match.forehand, match.rules.first_forehand),)
        case Push(seat):
            allow(why_not_to_choose(match, seat))
            allow(Reason.CANNOT_PUSH_BACK if match.pushed else None)
            return (Pushed(seat),)
        case ChooseContract(seat, contract):
            allow(why_not_to_choose(match, seat))
            return (ContractChosen(seat, contract, match.rules.multipliers[contract]),)
        case DeclareWeis(seat, weis):
            allow(why_no_weis(match, seat))
            allow(why_undeclarable(weis, match.dealt[seat], match.rules))
            return (_declared(match, seat, weis),)
        case PlayCard(seat, card):
            allow(why_not_playable(match, seat, card))
            return (*_silence(match, seat), CardPlayed(seat, card))
        case Claim(seat):
            allow(why_no_claim(match, seat))
            ending = scoring.ending_by_claim(match, seat)
            success = any(isinstance(event, MatchEnded) and event.by is EndedBy.CLAIM for event in ending)
            return (Claimed(seat, success), *ending)
        case _:
            assert_never(command)


def _silence(match: Match, seat: int) -> tuple[Event, ...]:
    """Return the empty declaration of a seat that plays its first card without one, whatever its hand."""
    asked = match.rules.weis_when is WeisWhen.OWN_FIRST_CARD and not match.tricks
    return (_declared(match, seat, ()),) if asked and match.declared[seat] is None else ()


def _declared(match: Match, seat: int, weis: tuple[Weis, ...]) -> WeisDeclared:
    return WeisDeclared(seat, tuple(notice_of(each, match.rules) for each in weis), weis)


def _consequences(match: Match) -> tuple[Event, ...]:
    """Return the next events that follow from the state; empty when a decision is pending."""
    if match.phase is Phase.DEAL and match.deal > 0:
        ended = scoring.ending_after_deal(match)
        return () if ended is None else (ended,)
    if match.phase is not Phase.PLAY or match.contract is None:
        return ()
    if match.rules.weis_declaration is WeisDeclaration.AUTOMATIC and None in match.declared:
        seats = (next_seat(match.forehand, steps) for steps in range(4))
        best = {seat: best_declaration(match.dealt[seat], match.contract, match.rules) for seat in seats}
        return tuple(_declared(match, seat, weis) for seat, weis in best.items())
    if match.table:
        return _within_trick(match)
    return _between_tricks(match) if match.tricks else ()


def _within_trick(match: Match) -> tuple[Event, ...]:
    if match.rules.stoeck_timing is StoeckTiming.SECOND_CARD and stoeck_played(match):
        if not match.stoeck_scored:
            return _stoeck(match)
        ended = scoring.ending_by_stoeck(match)
        if ended is not None:
            return (ended,)
    if len(match.table) == len(SEATS):
        assert match.contract is not None
        winner = next_seat(match.leader, trick_winner(match.table, match.contract))
        points = _trick_points(match) if match.rules.live_points else None
        return (TrickWon(winner, len(match.tricks) + 1, points),)
    return ()


def _between_tricks(match: Match) -> tuple[Event, ...]:
    if len(match.tricks) == 1 and not match.weis_scored and any(match.declared):
        return (_weis_scored(match),)
    if len(match.tricks) < HAND_SIZE:
        return scoring.ending_after_trick(match)
    if not match.stoeck_scored and stoeck_holder(match) is not None:
        return _stoeck(match)
    return (scoring.deal_score(match),)


def _stoeck(match: Match) -> tuple[Event, ...]:
    holder = stoeck_holder(match)
    return () if holder is None else (StoeckScored(holder, scoring.STOECK_POINTS),)


def _weis_scored(match: Match) -> WeisScored:
    assert match.contract is not None
    shown = award(tuple(weis or () for weis in match.declared), match.forehand, match.contract, match.rules)
    return WeisScored(shown[0].seat & 1, sum(each.points for each in shown), shown)


def _trick_points(match: Match) -> int:
    assert match.contract is not None
    last = len(match.tricks) == HAND_SIZE - 1
    return trick_points(match.table, match.contract, match.rules.une_points, last=last)


def apply(match: Match, event: Event) -> Match:  # noqa: C901, PLR0911 - one case for each event
    """Return the match after an event that `decide` gave for it (complete, not projected)."""
    match event:
        case DealStarted():
            return _dealt(match, event)
        case Pushed():
            return replace(match, pushed=True)
        case ContractChosen():
            rules = match.rules
            asks_all = rules.weis_when is WeisWhen.BEFORE_LEAD
            return replace(match, contract=event.contract, phase=Phase.WEIS if asks_all else Phase.PLAY)
        case WeisDeclared():
            declared = (*match.declared[: event.seat], event.weis, *match.declared[event.seat + 1 :])
            return replace(match, declared=declared, phase=match.phase if None in declared else Phase.PLAY)
        case CardPlayed():
            left = hands_without(match.hands, event.seat, event.card)
            return replace(match, hands=left, table=(*match.table, event.card))
        case StoeckScored():
            return replace(match, stoeck_scored=True)
        case TrickWon():
            # Points are computed here rather than read from the event, which may omit them.
            trick = Trick(match.leader, match.table, event.seat, _trick_points(match))
            return replace(match, tricks=(*match.tricks, trick), leader=event.seat, table=())
        case WeisScored():
            return replace(match, weis_scored=event.shown)
        case Claimed():
            return replace(match, claimed_by=event.seat)
        case DealScored():
            return replace(match, totals=event.totals, last_deal=event, phase=Phase.DEAL)
        case MatchEnded():
            return replace(match, totals=event.totals, outcome=event, phase=Phase.ENDED)
        case _:
            assert_never(event)


def _dealt(match: Match, event: DealStarted) -> Match:
    return replace(
        match,
        phase=Phase.CONTRACT,
        deal=event.deal,
        forehand=event.forehand,
        dealt=event.hands,
        hands=event.hands,
        pushed=False,
        contract=None,
        declared=NONE_DECLARED,
        weis_scored=(),
        stoeck_scored=False,
        leader=event.forehand,
        table=(),
        tricks=(),
    )
