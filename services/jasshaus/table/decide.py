"""Decides what a command does to a table: `decide` is pure, the one judge above the rules of the game.

Entropy comes in as a deal, and what the stand-in chose for a seat comes in with the command: nothing here
draws or thinks. Times are in milliseconds. Who is away is not known here: presence is no part of the match;
the store keeps it, and gives a seat that is away less time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, assert_never

from jasshaus.rules import registry
from jasshaus.rules.core.options import Finish, FirstForehand
from jasshaus.rules.core.tricks import Trick
from jasshaus.rules.differenzler import PenaltiesScored
from jasshaus.rules.registry import Command as RulesCommand
from jasshaus.rules.registry import Event as RulesEvent
from jasshaus.rules.registry import Match, Pending, PendingKind
from jasshaus.rules.schieber import Claim, DealScored, PlayCard, StartDeal
from jasshaus.rules.schieber import Match as SchieberMatch
from jasshaus.table.table import (
    Decision,
    Outcome,
    Seat,
    Status,
    Table,
    Unreadable,
    awaited,
    decision_version,
    outcome_of,
)


class Refusal(Exception):  # noqa: N818 - a refusal in the table's terms, not an error of ours
    """The table refuses a command; `reason` is a value of ErrorReason without its prefix."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason
        self.text = text


class DeckNeeded(Exception):  # noqa: N818 - a question to the caller
    """The command makes the table deal: draw for this deal (from 1) and decide again."""

    def __init__(self, deal: int) -> None:
        super().__init__(f"deal {deal}")
        self.deal = deal


@dataclass(frozen=True, slots=True)
class Drawn:
    """The entropy of one deal: the deck, and who would be forehand in a first deal drawn at random."""

    deck: tuple[int, ...]
    forehand: int


@dataclass(frozen=True, slots=True)
class Begin:
    """Deal for the first time."""


@dataclass(frozen=True, slots=True)
class Play:
    """A player's move in the game; the command names the seat."""

    seat: int
    command: RulesCommand


@dataclass(frozen=True, slots=True)
class Timeout:
    """A seat's time is up, and the stand-in has decided for it, as `stand_in.time_out` returns.

    `moves` are one decision: a declaration that comes with a card is followed by that card.
    """

    seat: int
    moves: tuple[RulesCommand, ...]


@dataclass(frozen=True, slots=True)
class Abort:
    """End the match without a winner."""

    reason: str


@dataclass(frozen=True, slots=True)
class Settled:
    """The money is moved: close the table with this outcome.

    `digest` is that of the result the pot was settled by, if it is another than the table's own.
    """

    status: Status
    outcome: Outcome
    digest: bytes = b""


Command = Begin | Play | Timeout | Abort | Settled


@dataclass(frozen=True, slots=True)
class Aborted:
    """The match ended otherwise than by the rules: without a winner, or as its pot says."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Closed:
    """The table is closed."""

    status: Status
    outcome: Outcome


Event = RulesEvent | Aborted | Closed


@dataclass(frozen=True, slots=True)
class Open:
    """A decision opens: its time starts after `pause` and lasts `limit` (None: no limit).

    It is shorter for a seat that is away when this is committed.
    """

    pause: int
    limit: int | None


@dataclass(frozen=True, slots=True)
class Stop:
    """The decision is taken."""


Timer = Open | Stop | None  # None: stays as it is


@dataclass(frozen=True, slots=True)
class Asked:
    """What a table waits for: by seat the time for its decision.

    0 for no limit, None when it is not asked. `away` is the time of a seat that is away, where that is less.
    """

    playing: bool
    limits: tuple[int | None, int | None, int | None, int | None]
    away: int


NOBODY_ASKED: Final = Asked(playing=False, limits=(None, None, None, None), away=0)


@dataclass(frozen=True, slots=True)
class Change:
    """What a command does: the table after it, what happened, and what the store's clock must do."""

    table: Table
    events: tuple[Event, ...]
    seat: int | None = None  # whose decision it is, be it taken by the stand-in
    stand_in: bool = False
    seats: tuple[Timer, Timer, Timer, Timer] = (None, None, None, None)
    idle: Timer = None
    gated: bool = False  # the command leads a trick: not before the pause after the last one is over
    lead_pause: int | None = None  # None: the pause stays as it is, 0: none
    settle: bool = False  # the money must be moved now
    closed: bool = False  # the money is moved
    digest: bytes = b""  # of the result that it was moved by, if it is another than the table's own


def decide(table: Table, command: Command, drawn: Drawn | None = None) -> Change:
    """Return what a command does. Raises Refusal, RuleViolation, and DeckNeeded when a deal is due."""
    match command:
        case Begin():
            new = registry.new_match(table.rules)
            return _progress(table, new, new, (), drawn)
        case Play(seat, move):
            return _play(table, seat, (move,), drawn)
        case Timeout(seat, moves):
            return _time_out(table, seat, moves, drawn)
        case Abort(reason):
            return _abort(table, reason)
        case Settled():
            return _close(table, command)
        case _:
            assert_never(command)


def asked(table: Table) -> Asked:
    """Return what a table waits for."""
    limits = {each.seat: _limit(table, each.kind) or 0 for each in awaited(table)}
    return Asked(
        playing=table.status is Status.PLAYING,
        limits=(limits.get(0), limits.get(1), limits.get(2), limits.get(3)),
        away=table.pace.away,
    )


def answers_since(table: Table, seat: int, command: Command) -> int:
    """Return the first version whose view shows what a seat's command answers.

    That is the decision it is asked for, or the pause in which it claims. What others do meanwhile does not
    change either. Of anything else it is the version now.
    """
    if isinstance(command, Play) and isinstance(command.command, Claim):
        # The pause began with the commit that asked for the next lead, and ends with that lead.
        leaders = [each.seat for each in awaited(table) if each.seat is not None]
        match = table.match
        if len(leaders) == 1 and isinstance(match, SchieberMatch) and match.tricks and not match.table:
            seat = leaders[0]
    since = decision_version(table, seat)
    return table.version if since is None else since


def _must_be_on(table: Table) -> Match:
    if table.status is not Status.PLAYING:
        raise Refusal("TABLE_ENDED", "the match is over")
    assert not isinstance(table.match, Unreadable), "the stored match cannot be read"
    return table.match


def _play(table: Table, seat: int, commands: tuple[RulesCommand, ...], drawn: Drawn | None) -> Change:
    match = _must_be_on(table)
    after, events = match, tuple[RulesEvent, ...]()
    for command in commands:
        after, caused = registry.advance(after, command)
        events += caused
    leads = isinstance(commands[-1], PlayCard) and not match.table and _claims_are_made(table)
    return _progress(table, match, after, events, drawn, seat=seat, gated=leads)


def _progress(
    table: Table,
    before: Match,
    match: Match,
    events: tuple[RulesEvent, ...],
    drawn: Drawn | None,
    *,
    seat: int | None = None,
    gated: bool = False,
) -> Change:
    """Take the rules' events over, deal if that is due, and set the clock for the decisions that open."""
    ended: tuple[Trick, ...] = ()
    if any(each.kind is PendingKind.DEAL for each in registry.pending(match)):
        ended = match.tricks
        match, dealt = registry.advance(match, _start_deal(match, drawn))
        events += dealt
    # Only now, at the end of the chain, is anything of the table replaced: a refusal above changes nothing.
    after = replace(
        table,
        version=table.version + 1,
        match=match,
        deals=table.deals + tuple(each for each in events if isinstance(each, DealScored | PenaltiesScored)),
        last_trick=ended[-1] if ended else table.last_trick,
    )
    if match.outcome is not None:
        after = replace(after, status=Status.SETTLING, outcome=outcome_of(match.outcome))
    trick_ended = before.deal != match.deal or len(before.tricks) != len(match.tricks)
    between_tricks = trick_ended and before.deal > 0
    lead_pause = after.pace.lead_pause if between_tricks and _claims_are_made(after) else 0
    pause = max(after.pace.trick_pause, lead_pause) if between_tricks else 0
    playing = after.status is Status.PLAYING
    timers = _timers(table, after, before, pause)
    return Change(
        replace(after, seats=_asked_since(table, after, timers)),
        events,
        seat=seat,
        gated=gated,
        seats=timers,
        idle=Open(0, after.pace.idle_limit) if playing else Stop(),
        # Before the first trick of a deal nobody can claim: the contract comes first anyway.
        lead_pause=lead_pause if playing and match.tricks else (0 if between_tricks else None),
        settle=not playing,
    )


def _start_deal(match: Match, drawn: Drawn | None) -> StartDeal:
    if drawn is None:
        raise DeckNeeded(match.deal + 1)
    first = match.deal == 0 and match.rules.first_forehand is FirstForehand.RANDOM
    return StartDeal(drawn.deck, drawn.forehand if first else None)


def _claims_are_made(table: Table) -> bool:
    # Never in a Differenzler, which has no such option.
    return table.rules.finish is Finish.CLAIM


def _timers(table: Table, after: Table, before: Match, pause: int) -> tuple[Timer, Timer, Timer, Timer]:
    """Open the time of decisions that were not awaited before; all others keep theirs to the millisecond."""
    assert not isinstance(after.match, Unreadable)
    was = {each.seat: _decision(before, each) for each in registry.pending(before)}
    now = {each.seat: _decision(after.match, each) for each in awaited(after)}
    kinds = {each.seat: each.kind for each in awaited(after)}
    timers: list[Timer] = []
    for seat in range(4):
        if seat not in now:
            timers.append(Stop() if seat in was or after.status is not Status.PLAYING else None)
        elif was.get(seat) == now[seat] and table.version > 0:
            timers.append(None)
        else:
            timers.append(Open(pause, _limit(after, kinds[seat])))
    return timers[0], timers[1], timers[2], timers[3]


def _asked_since(table: Table, after: Table, timers: Iterable[Timer]) -> tuple[Seat, ...]:
    """Return the seats with the versions that opened what they are asked for."""
    now = {each.seat for each in awaited(after)}
    seats = []
    for seat, (here, timer) in enumerate(zip(table.seats, timers, strict=True)):
        # Whose timer stays as it is was asked before: see `decision_version`.
        still = here.decision_version or table.version
        since = 0 if seat not in now else after.version if isinstance(timer, Open) else still
        seats.append(here if here.decision_version == since else replace(here, decision_version=since))
    return tuple(seats)


def _decision(match: Match, each: Pending) -> tuple[object, ...]:
    """Name a decision: a seat is asked for each once."""
    return each.kind, match.deal, len(match.tricks) if each.kind is PendingKind.CARD else 0


def _limit(table: Table, kind: PendingKind) -> int | None:
    return (table.pace.weis if kind is PendingKind.WEIS else table.pace.turn) or None


def _time_out(table: Table, seat: int, moves: tuple[RulesCommand, ...], drawn: Drawn | None) -> Change:
    _must_be_on(table)
    if all(each.seat != seat for each in awaited(table)):
        raise Refusal("NOT_YOUR_TURN", "nothing is awaited of this seat")
    return replace(_play(table, seat, moves, drawn), stand_in=True)


def _close(table: Table, settled: Settled) -> Change:
    status, outcome = settled.status, settled.outcome
    closed = replace(table, version=table.version + 1, status=status, outcome=outcome)
    change = Change(closed, (Closed(status, outcome),), closed=True, digest=settled.digest)
    if table.status is not Status.PLAYING:
        return change
    # The store had lost the end of the match, and its money is moved already.
    ended = Aborted(replace(outcome, payouts=(), fee=None))
    stop = Stop()
    return replace(
        change, events=(ended, *change.events), seats=(stop, stop, stop, stop), idle=stop, lead_pause=0
    )


def _abort(table: Table, reason: str) -> Change:
    if table.status is not Status.PLAYING:
        raise Refusal("TABLE_ENDED", "the match is over")
    outcome = Outcome(Decision.ABORTED, abort_reason=reason)
    seats = tuple(replace(each, decision_version=0) for each in table.seats)
    after = replace(table, version=table.version + 1, status=Status.SETTLING, outcome=outcome, seats=seats)
    return Change(
        after,
        (Aborted(outcome),),
        seats=(Stop(), Stop(), Stop(), Stop()),
        idle=Stop(),
        lead_pause=0,
        settle=True,
    )
