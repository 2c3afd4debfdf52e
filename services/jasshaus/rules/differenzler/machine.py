"""The Differenzler state machine: decides what a command does, and applies events.

`decide` is the only judge of a command, `apply` the only way a match changes; replaying the events of a match
gives the same match. Source: docs/rules.md, Differenzler.
"""

from __future__ import annotations

from typing import assert_never

from jasshaus.rules.core.cards import DEAL_POINTS, HAND_SIZE, SEATS, cards_in, next_seat
from jasshaus.rules.core.dealing import last_card, start_deal
from jasshaus.rules.core.decisions import LegalActions, Pending, PendingKind
from jasshaus.rules.core.events import CardPlayed, DealStarted, PlayCard, StartDeal, TrickWon
from jasshaus.rules.core.frozen import replace
from jasshaus.rules.core.options import Announcements
from jasshaus.rules.core.refusals import Reason, RuleViolation, allow
from jasshaus.rules.core.tricks import Trick, hands_without, trick_points, trick_winner, why_illegal
from jasshaus.rules.core.unfolding import unfold
from jasshaus.rules.differenzler import scoring
from jasshaus.rules.differenzler.events import (
    Announce,
    Announced,
    Command,
    Event,
    PenaltiesScored,
    RoundsEnded,
)
from jasshaus.rules.differenzler.match import NONE_ANNOUNCED, Match, Phase


def decide(match: Match, command: Command) -> tuple[Event, ...]:
    """Return the events that a command causes, including all consequences: trick, penalties, end.

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


def pending(match: Match) -> tuple[Pending, ...]:
    """Return who must decide now: one decision, or up to four announcements; none after the end."""
    match match.phase:
        case Phase.DEAL:
            return (Pending(None, PendingKind.DEAL),)
        case Phase.ANNOUNCE:
            return tuple(Pending(seat, PendingKind.ANNOUNCEMENT) for seat in _announcing(match))
        case Phase.PLAY:
            return (Pending(match.player, PendingKind.CARD),)
        case Phase.ENDED:
            return ()


def legal_actions(match: Match, seat: int) -> LegalActions:
    """Return what a seat may do now."""
    refusals = {card: why_not_playable(match, seat, card) for card in cards_in(match.hands[seat])}
    return LegalActions(
        can_announce=why_not_to_announce(match, seat) is None,
        cards=tuple(card for card, reason in refusals.items() if reason is None),
        illegal={card: reason for card, reason in refusals.items() if reason is not None},
    )


def why_not_to_announce(match: Match, seat: int) -> Reason | None:
    """Return the reason why a seat may not announce now, whatever it would announce; or None."""
    before = _why_before_announcing(match, seat)
    if before is not None:
        return before
    if match.announced[seat] is not None:
        return Reason.ANNOUNCEMENT_ALREADY_MADE
    return None if seat in _announcing(match) else Reason.NOT_YOUR_TURN


def why_not_playable(match: Match, seat: int, card: int) -> Reason | None:
    """Return the reason why a seat may not play a card now, or None."""
    before = _why_before_announcing(match, seat)
    if before is not None:
        return before
    if match.phase is Phase.ANNOUNCE or match.contract is None:
        return Reason.ANNOUNCEMENT_DUE
    if seat != match.player:
        return Reason.NOT_YOUR_TURN
    return why_illegal(card, match.hands[seat], match.table, match.contract, match.rules.undertrump)


def _why_before_announcing(match: Match, seat: int) -> Reason | None:
    if seat not in SEATS:
        return Reason.NO_SUCH_SEAT
    if match.phase is Phase.ENDED:
        return Reason.MATCH_ENDED
    return Reason.DEAL_DUE if match.phase is Phase.DEAL else None


def _announcing(match: Match) -> tuple[int, ...]:
    order = (next_seat(match.forehand, steps) for steps in range(4))
    missing = tuple(seat for seat in order if match.announced[seat] is None)
    return missing[:1] if match.rules.announcements is Announcements.OPEN else missing


def _answer(match: Match, command: Command) -> tuple[Event, ...]:
    if match.phase is Phase.ENDED:
        raise RuleViolation(Reason.MATCH_ENDED)
    match command:
        case StartDeal():
            allow(None if match.phase is Phase.DEAL else Reason.DEAL_NOT_DUE)
            started = start_deal(command, match.deal, match.forehand, match.rules.first_forehand)
            return (replace(started, trump_card=last_card(command.deck)),)
        case Announce(seat, points):
            allow(why_not_to_announce(match, seat))
            allow(None if 0 <= points <= DEAL_POINTS else Reason.ANNOUNCEMENT_OUT_OF_RANGE)
            return (Announced(seat, points, hidden=match.rules.announcements is Announcements.HIDDEN),)
        case PlayCard(seat, card):
            allow(why_not_playable(match, seat, card))
            return (CardPlayed(seat, card),)
        case _:
            assert_never(command)


def _consequences(match: Match) -> tuple[Event, ...]:
    """Return the next events that follow from the state; empty when a decision is pending."""
    if match.phase is Phase.DEAL and match.deal > 0:
        ended = scoring.ending_after_deal(match)
        return () if ended is None else (ended,)
    if match.phase is not Phase.PLAY:
        return ()
    if len(match.table) == len(SEATS):
        assert match.contract is not None
        winner = next_seat(match.leader, trick_winner(match.table, match.contract))
        points = _trick_points(match) if match.rules.live_points else None
        return (TrickWon(winner, len(match.tricks) + 1, points),)
    return (scoring.penalties_scored(match),) if len(match.tricks) == HAND_SIZE else ()


def _trick_points(match: Match) -> int:
    assert match.contract is not None
    last = len(match.tricks) == HAND_SIZE - 1
    return trick_points(match.table, match.contract, None, last=last)


def apply(match: Match, event: Event) -> Match:
    """Return the match after an event that `decide` gave for it (complete, not projected)."""
    match event:
        case DealStarted():
            return _dealt(match, event)
        case Announced(seat=seat, points=points):
            announced = list(match.announced)
            announced[seat] = points
            first, second, third, fourth = announced
            phase = Phase.ANNOUNCE if None in announced else Phase.PLAY
            return replace(match, announced=(first, second, third, fourth), phase=phase)
        case CardPlayed(seat, card):
            left = hands_without(match.hands, seat, card)
            return replace(match, hands=left, table=(*match.table, card))
        case TrickWon():
            # Points are computed here rather than read from the event, which may omit them.
            trick = Trick(match.leader, match.table, event.seat, _trick_points(match))
            return replace(match, tricks=(*match.tricks, trick), leader=event.seat, table=())
        case PenaltiesScored():
            counted = replace(match, totals=event.totals, last_deal=event, phase=Phase.DEAL)
            return replace(counted, contenders=scoring.contenders_after(counted))
        case RoundsEnded():
            return replace(match, outcome=event, phase=Phase.ENDED)
        case _:
            assert_never(event)


def _dealt(match: Match, event: DealStarted) -> Match:
    return replace(
        match,
        phase=Phase.ANNOUNCE,
        deal=event.deal,
        forehand=event.forehand,
        dealt=event.hands,
        hands=event.hands,
        trump_card=event.trump_card,
        announced=NONE_ANNOUNCED,
        leader=event.forehand,
        table=(),
        tricks=(),
    )
