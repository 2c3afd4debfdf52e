"""The table's RPCs: checks messages, calls the service, answers with messages."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any, Final, TypeVar
from uuid import UUID

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from jasshaus.api.table.v1 import table_pb2, table_pb2_grpc
from jasshaus.contracts.rules import card_from_proto, contract_from_proto, rule_set_from_proto
from jasshaus.contracts.wording import Words, WordsError, words_of
from jasshaus.platform.auth import Principal, Role, current_principal
from jasshaus.platform.errors import Fault, aborted, failed_precondition, invalid_argument, unavailable
from jasshaus.platform.validation import bounded_int, optional_text, required, uuid_field
from jasshaus.rules import schieber
from jasshaus.rules.core.cards import DEAL_POINTS, mask_of
from jasshaus.rules.core.options import OptionError, RuleSet
from jasshaus.rules.core.refusals import Reason, RuleViolation
from jasshaus.rules.core.weis import Weis, weis_of
from jasshaus.rules.differenzler import Announce
from jasshaus.rules.registry import Command
from jasshaus.table import decide
from jasshaus.table.acts import Operator
from jasshaus.table.codec import status_to_proto
from jasshaus.table.feed import Feed
from jasshaus.table.history import MalformedTokenError, read_resume_token
from jasshaus.table.link import StoreAwayError
from jasshaus.table.players import Player, seat_at
from jasshaus.table.result import MatchResult
from jasshaus.table.service import Move, PresenceChange, TableService
from jasshaus.table.table import Money, NewTable
from jasshaus.table.tables import Current, Request, StaleVersion
from jasshaus.table.views import table_view

T = TypeVar("T")
Context = grpc.aio.ServicerContext[Any, Any]
_TENANT: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_CURRENCY: Final = re.compile(r"[A-Z][A-Z0-9]{2,7}")
_MAX_MINOR_UNITS: Final = 1_000_000_000_000
_SEATS: Final = 4
_RETRY_SECONDS: Final = 0.5


def translate(error: Exception) -> Fault | None:
    """Return what a caller is told of an exception of this service; None for a bug."""
    match error:
        case RuleViolation():
            return failed_precondition(error.reason.name, error.text)
        case decide.Refusal():
            return failed_precondition(error.reason, error.text)
        case StoreAwayError():
            return unavailable("STORE_UNAVAILABLE", "the store does not answer", retry_after=_RETRY_SECONDS)
        case _:
            return None


class TableServicer(table_pb2_grpc.TableServiceServicer):
    """TableService of the contract."""

    def __init__(self, service: TableService, feed: Feed) -> None:
        self._service = service
        self._feed = feed

    async def CreateTable(self, request: table_pb2.CreateTableRequest, _context: Context) -> Any:  # noqa: N802
        """CreateTable."""
        current = await self._service.create(_new_table(request))
        return table_pb2.CreateTableResponse(view=_view(current, None))

    async def GetTable(self, request: table_pb2.GetTableRequest, _context: Context) -> Any:  # noqa: N802
        """GetTable."""
        table_id = uuid_field(request.table_id, "table_id")
        words = _words(request)
        principal = current_principal()
        may_spectate = bool(principal.roles & {Role.SERVICE, Role.OPERATOR})
        current, seat = await self._service.look(table_id, _player(principal), may_spectate=may_spectate)
        return table_pb2.GetTableResponse(
            view=_view(current, seat), rules_in_words=words.rules(current.table.rules)
        )

    async def Act(self, request: table_pb2.ActRequest, _context: Context) -> Any:  # noqa: N802
        """Act."""
        player = _player(current_principal())
        table_id = uuid_field(request.table_id, "table_id")
        kind, move = read_action(request.action)
        asked = Request(
            request_id=uuid_field(request.request_id, "request_id").bytes,
            body=_digest(request.action)[:16],
            expected_version=request.expected_version if request.HasField("expected_version") else None,
        )
        try:
            done = await self._service.act(table_id, player, asked, kind, move)
        except StaleVersion as stale:
            view = _view(stale.current, seat_at(stale.current, player))
            raise aborted("STALE_VERSION", "the table has moved on", details=[view]) from None
        return table_pb2.ActResponse(
            version=done.version, view=_view(done.current, seat_at(done.current, player))
        )

    async def WatchTable(  # type: ignore[override]  # noqa: N802 - it writes, and yields nothing
        self, request: table_pb2.WatchTableRequest, context: Context
    ) -> None:
        """WatchTable."""
        table_id = uuid_field(request.table_id, "table_id")
        device = request.device_id
        if len(device) > 64 or not device.isprintable():  # noqa: PLR2004 - the contract's number
            raise invalid_argument("device_id", "must be at most 64 printable characters")
        try:
            resume = read_resume_token(request.resume_token) if request.resume_token else None
        except MalformedTokenError:
            raise invalid_argument("resume_token", "is not a resume token", "INVALID_RESUME_TOKEN") from None
        await self._feed.watch(table_id, _player(current_principal()), device, resume, context.write)

    async def AbortTable(self, request: table_pb2.AbortTableRequest, _context: Context) -> Any:  # noqa: N802
        """AbortTable."""
        table_id = uuid_field(request.table_id, "table_id")
        why = required(request.reason, "reason", max_length=64)
        current = await self._service.abort(table_id, current_principal().subject, why, _operator())
        return table_pb2.AbortTableResponse(view=None if current is None else _view(current, None))

    async def GetResult(self, request: table_pb2.GetResultRequest, _context: Context) -> Any:  # noqa: N802
        """GetResult."""
        result = await self._service.result(uuid_field(request.table_id, "table_id"))
        return table_pb2.GetResultResponse(result=_result(result))

    async def ReconcileTable(  # noqa: N802
        self, request: table_pb2.ReconcileTableRequest, _context: Context
    ) -> Any:
        """ReconcileTable."""
        compared = await self._service.reconcile(
            uuid_field(request.table_id, "table_id"),
            uuid_field(request.game_id, "game_id"),
            operator=_operator(),
        )
        response = table_pb2.ReconcileTableResponse(
            finding=table_pb2.Finding.Value(f"FINDING_{compared.finding.name}")
        )
        if compared.status is not None:
            response.status = status_to_proto(compared.status)
        return response


def _operator() -> Operator | None:
    """Return who calls, if it is an operator."""
    principal = current_principal()
    return Operator(principal.subject, principal.tenant) if Role.OPERATOR in principal.roles else None


def _view(current: Current, seat: int | None) -> table_pb2.TableView:
    return table_view(current.table, seat, current.times)


def _result(result: MatchResult) -> table_pb2.MatchResult:
    end_time = Timestamp()
    end_time.FromMilliseconds(result.ended_at)
    return table_pb2.MatchResult(
        table_id=str(result.table_id),
        game_id=str(result.game_id),
        tenant=result.tenant,
        reservation_ids=map(str, result.reservations),
        winning_seats=result.winning_seats,
        points=result.points,
        result_digest=result.digest,
        staked=result.staked,
        end_time=end_time,
        player_ids=result.players,
    )


def _words(request: table_pb2.GetTableRequest) -> Words:
    try:
        return words_of(request.language_code, request.deck)
    except WordsError as error:
        raise invalid_argument(error.field, error.text) from None


def _player(principal: Principal) -> Player:
    return Player(principal.tenant, principal.subject)


def _digest(message: Any) -> bytes:
    return hashlib.sha256(message.SerializeToString(deterministic=True)).digest()


def _new_table(request: table_pb2.CreateTableRequest) -> NewTable:
    seats = sorted(request.seats, key=lambda seat: seat.seat)
    if [seat.seat for seat in seats] != list(range(_SEATS)):
        raise invalid_argument("seats", "must be four, numbered 0 to 3")
    # As they were sent: the index in the request, not the seat.
    for index, seat in enumerate(request.seats):
        required(seat.player_id, f"seats[{index}].player_id", max_length=128)
    players = tuple(seat.player_id for seat in seats)
    if len(set(players)) != _SEATS:
        raise invalid_argument("seats", "must be four different players")
    return NewTable(
        table_id=uuid_field(request.table_id, "table_id"),
        game_id=uuid_field(request.game_id, "game_id"),
        tenant=_matching(_TENANT, request.tenant, "tenant"),
        players=players,
        reservations=_reservations(request),
        preset=optional_text(request.rule_set.preset, "rule_set.preset", max_length=64),
        rules=_rules(request),
        stake=_stake(request),
        digest=_digest(request),
    )


def _reservations(request: table_pb2.CreateTableRequest) -> tuple[UUID | None, ...]:
    named = {
        seat.seat: uuid_field(seat.reservation_id, f"seats[{index}].reservation_id")
        for index, seat in enumerate(request.seats)
        if seat.reservation_id
    }
    if named and len(set(named.values())) != _SEATS:
        raise invalid_argument("seats", "must name four different reservations, or none")
    return tuple(named.get(seat) for seat in range(_SEATS))


def _rules(request: table_pb2.CreateTableRequest) -> RuleSet:
    try:
        return rule_set_from_proto(request.rule_set)
    except OptionError as error:
        faults = [(f"rule_set.{field}", text) for field, text in error.faults]
        code = grpc.StatusCode.INVALID_ARGUMENT
        raise Fault(code, "OPTION_INVALID", f"rule_set.{error}", violations=faults) from None


def _stake(request: table_pb2.CreateTableRequest) -> Money | None:
    if not request.HasField("stake"):
        return None
    units = bounded_int(request.stake.minor_units, "stake.minor_units", low=1, high=_MAX_MINOR_UNITS)
    return Money(_matching(_CURRENCY, request.stake.currency_code, "stake.currency_code"), units)


def _matching(pattern: re.Pattern[str], value: str, field: str) -> str:
    if not pattern.fullmatch(value):
        raise invalid_argument(field, f"must match {pattern.pattern}")
    return value


def read_action(  # noqa: PLR0911 - one case an action
    action: table_pb2.Action,
) -> tuple[str, Move]:
    """Return an action's kind and what it does for a seat. Raises Fault INVALID_ARGUMENT, RuleViolation."""
    which = action.WhichOneof("action")
    match which:
        case None:
            raise invalid_argument("action", "is required")
        case "push":
            return "push", _play(schieber.Push)
        case "choose_contract":
            contract = _known(
                contract_from_proto, action.choose_contract.contract, "action.choose_contract.contract"
            )
            return "contract", _play(lambda seat: schieber.ChooseContract(seat, contract))
        case "declare_weis":
            weis = tuple(_weis(each, number) for number, each in enumerate(action.declare_weis.weis))
            return "weis", _play(lambda seat: schieber.DeclareWeis(seat, weis))
        case "play_card":
            card = _known(card_from_proto, action.play_card.card, "action.play_card.card")
            return "card", _play(lambda seat: schieber.PlayCard(seat, card))
        case "claim":
            return "claim", _play(schieber.Claim)
        case "leave":
            return "leave", PresenceChange(away=True)
        case "come_back":
            return "come_back", PresenceChange(away=False)
        case "announce_points":
            points = action.announce_points.points
            bounded_int(points, "action.announce_points.points", low=0, high=DEAL_POINTS)
            return "announce", _play(lambda seat: Announce(seat, points))
    raise AssertionError(f"an action nobody reads: {which}")


def _play(make: Callable[[int], Command]) -> Move:
    return lambda seat: decide.Play(seat, make(seat))


def _known(read: Callable[[int], T], value: int, field: str) -> T:
    try:
        return read(value)
    except ValueError:
        raise invalid_argument(field, "is required" if value == 0 else "is not known") from None


def _weis(combination: table_pb2.Action.Combination, number: int) -> Weis:
    field = f"action.declare_weis.weis[{number}].cards"
    cards = [
        _known(card_from_proto, card, f"{field}[{place}]") for place, card in enumerate(combination.cards)
    ]
    if len(set(cards)) != len(cards) or not cards:
        raise invalid_argument(field, "must be different cards, at least one")
    weis = weis_of(mask_of(cards))
    if weis is None:
        raise RuleViolation(Reason.WEIS_NOT_A_COMBINATION)
    return weis
