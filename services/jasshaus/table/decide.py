"""Owns what a command does to a table: `decide` is pure, the one judge above the rules of the game.

Entropy comes in as a deal; the stand-in's moves are those of the bot run on its seat's view. Times are in
milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from jasshaus.bots import BOTS
from jasshaus.rules import game
from jasshaus.rules.events import PlayCard, StartDeal
from jasshaus.rules.game import Command as RulesCommand
from jasshaus.rules.game import Event as RulesEvent
from jasshaus.rules.game import Match, Pending, PendingKind
from jasshaus.rules.options import Finish, FirstForehand
from jasshaus.rules.view import DifferenzlerView
from jasshaus.table.table import Decision, Outcome, Status, Table, Unreadable, awaited, outcome_of


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
class Leave:
    """A player goes away."""

    seat: int


@dataclass(frozen=True, slots=True)
class Return:
    """A player comes back."""

    seat: int


@dataclass(frozen=True, slots=True)
class Timeout:
    """A seat's time is up: the stand-in decides for it."""

    seat: int


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


Command = Begin | Play | Leave | Return | Timeout | Abort | Settled


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """A seat is away or back."""

    seat: int
    away: bool


@dataclass(frozen=True, slots=True)
class Aborted:
    """The match ended otherwise than by the rules: without a winner, or as its pot says."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Closed:
    """The table is closed."""

    status: Status
    outcome: Outcome


Event = RulesEvent | PresenceChanged | Aborted | Closed


@dataclass(frozen=True, slots=True)
class Open:
    """A decision opens: its time starts after `pause` and lasts `limit` (None: no limit)."""

    pause: int
    limit: int | None


@dataclass(frozen=True, slots=True)
class Hurry:
    """The seat went away in the middle of its decision: at most `limit` from now."""

    limit: int


@dataclass(frozen=True, slots=True)
class Relax:
    """The seat came back in the middle of its decision: the time it had when that opened, or as it is."""

    limit: int | None


@dataclass(frozen=True, slots=True)
class Stop:
    """The decision is taken."""


Timer = Open | Hurry | Relax | Stop | None  # None: stays as it is


@dataclass(frozen=True, slots=True)
class Change:
    """What a command does: the table after it, what happened, and what the store's clock must do."""

    table: Table
    events: tuple[Event, ...]
    stand_in: bool = False
    seats: tuple[Timer, Timer, Timer, Timer] = (None, None, None, None)
    idle: Timer = None
    gated: bool = False  # the command leads a trick: not before the pause after the last one is over
    lead_pause: int | None = None  # None: the pause stays as it is, 0: none
    settle: bool = False  # the money must be moved now
    closed: bool = False  # the money is moved
    digest: bytes = b""  # of the result that it was moved by, if it is another than the table's own


def decide(  # noqa: PLR0911 - one case a command
    table: Table, command: Command, drawn: Drawn | None = None
) -> Change:
    """Give what a command does. Raises Refusal, RuleViolation, and DeckNeeded when a deal is due."""
    match command:
        case Begin():
            new = game.new_match(table.rules)
            return _progress(table, new, new, (), drawn)
        case Play(seat, asked):
            _must_be_on(table)
            seats = tuple(
                replace(each, timeouts=0) if index == seat else each for index, each in enumerate(table.seats)
            )
            return _play(replace(table, seats=seats), asked, drawn)
        case Leave(seat):
            return _leave(table, seat)
        case Return(seat):
            return _return(table, seat)
        case Timeout(seat):
            return _time_out(table, seat, drawn)
        case Abort(reason):
            return _abort(table, reason)
        case Settled():
            return _close(table, command)
        case _:
            assert_never(command)


def stand_in(match: Match, seat: int) -> RulesCommand:
    """Give the sound move that the stand-in makes for a seat, from that seat's view; never a claim."""
    seen = game.view(match, seat)
    if isinstance(seen, DifferenzlerView):
        return BOTS["greedy"](seen, match.deal)
    assert seen.legal is not None
    # A claim can lose the match: nobody makes one for a person who is not there.
    return BOTS["greedy"](replace(seen, legal=replace(seen.legal, can_claim=False)), match.deal)


def limits(table: Table) -> tuple[int | None, int | None, int | None, int | None]:
    """Give by seat the time for the decision it is asked for; None without a limit, or without a decision."""
    asked = {
        each.seat: _limit(table, each.seat, each.kind) for each in awaited(table) if each.seat is not None
    }
    return asked.get(0), asked.get(1), asked.get(2), asked.get(3)


def _must_be_on(table: Table) -> Match:
    if table.status is not Status.PLAYING:
        raise Refusal("TABLE_ENDED", "the match is over")
    assert not isinstance(table.match, Unreadable), "the stored match cannot be read"
    return table.match


def _play(table: Table, command: RulesCommand, drawn: Drawn | None) -> Change:
    match = _must_be_on(table)
    change = _progress(table, match, *game.advance(match, command), drawn)
    leads = isinstance(command, PlayCard) and not match.table and _claims_are_made(table)
    return replace(change, gated=leads)


def _progress(
    table: Table, before: Match, match: Match, events: tuple[RulesEvent, ...], drawn: Drawn | None
) -> Change:
    """Take the rules' events over, deal if that is due, and set the clock for the decisions that open."""
    if any(each.kind is PendingKind.DEAL for each in game.pending(match)):
        match, dealt = game.advance(match, _start_deal(match, drawn))
        events += dealt
    # Only now, at the end of the chain, is anything of the table replaced: a refusal above changes nothing.
    after = replace(table, version=table.version + 1, match=match)
    if match.outcome is not None:
        after = replace(after, status=Status.SETTLING, outcome=outcome_of(match.outcome))
    trick_ended = before.deal != match.deal or len(before.tricks) != len(match.tricks)
    between_tricks = trick_ended and before.deal > 0
    lead_pause = after.pace.lead_pause if between_tricks and _claims_are_made(after) else 0
    pause = max(after.pace.trick_pause, lead_pause) if between_tricks else 0
    playing = after.status is Status.PLAYING
    return Change(
        after,
        events,
        seats=_timers(table, after, before, pause),
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
    was = {each.seat: _decision(before, each) for each in game.pending(before)}
    now = {each.seat: _decision(after.match, each) for each in awaited(after)}
    kinds = {each.seat: each.kind for each in awaited(after)}
    timers: list[Timer] = []
    for seat in range(4):
        if seat not in now:
            timers.append(Stop() if seat in was or after.status is not Status.PLAYING else None)
        elif was.get(seat) == now[seat] and table.version > 0:
            timers.append(None)
        else:
            timers.append(Open(pause, _limit(after, seat, kinds[seat])))
    return timers[0], timers[1], timers[2], timers[3]


def _decision(match: Match, each: Pending) -> tuple[object, ...]:
    """Name a decision: a seat is asked for each once."""
    return each.kind, match.deal, len(match.tricks) if each.kind is PendingKind.CARD else 0


def _limit(table: Table, seat: int, kind: PendingKind) -> int | None:
    if table.seats[seat].away:
        return table.pace.away
    return (table.pace.weis if kind is PendingKind.WEIS else table.pace.turn) or None


def _leave(table: Table, seat: int) -> Change:
    _must_be_on(table)
    if table.seats[seat].away:
        raise Refusal("ALREADY_AWAY", "the seat is away already")
    deciding = any(each.seat == seat for each in awaited(table))
    return _presence(table, seat, away=True, timer=Hurry(table.pace.away) if deciding else None)


def _return(table: Table, seat: int) -> Change:
    _must_be_on(table)
    if not table.seats[seat].away:
        raise Refusal("NOT_AWAY", "the seat is not away")
    back = _presence(table, seat, away=False, timer=None)
    kind = next((each.kind for each in awaited(table) if each.seat == seat), None)
    if kind is None:
        return back
    return _with_timer(back, seat, Relax(_limit(back.table, seat, kind)))


def _presence(table: Table, seat: int, *, away: bool, timer: Timer) -> Change:
    seats = tuple(
        replace(each, away=away, timeouts=0) if index == seat else each
        for index, each in enumerate(table.seats)
    )
    after = replace(table, version=table.version + 1, seats=seats)
    return _with_timer(Change(after, (PresenceChanged(seat, away),)), seat, timer)


def _with_timer(change: Change, seat: int, timer: Timer) -> Change:
    timers = list(change.seats)
    timers[seat] = timer
    return replace(change, seats=(timers[0], timers[1], timers[2], timers[3]))


def _time_out(table: Table, seat: int, drawn: Drawn | None) -> Change:
    match = _must_be_on(table)
    if all(each.seat != seat for each in awaited(table)):
        raise Refusal("NOT_YOUR_TURN", "nothing is awaited of this seat")
    here = table.seats[seat]
    timeouts = here.timeouts + (not here.away)
    goes = not here.away and timeouts >= table.pace.away_after
    seats = tuple(
        replace(each, away=each.away or goes, timeouts=timeouts) if index == seat else each
        for index, each in enumerate(table.seats)
    )
    change = _play(replace(table, seats=seats), stand_in(match, seat), drawn)
    gone = (PresenceChanged(seat, away=True),) if goes else ()
    return replace(change, events=(*gone, *change.events), stand_in=True)


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
    after = replace(table, version=table.version + 1, status=Status.SETTLING, outcome=outcome)
    return Change(
        after,
        (Aborted(outcome),),
        seats=(Stop(), Stop(), Stop(), Stop()),
        idle=Stop(),
        lead_pause=0,
        settle=True,
    )
