"""The RPCs of matchmaking: convert messages, call the domain, convert back."""

# ruff: noqa: N802, D102, ARG002 (the contract names and documents the methods and their parameters)

from __future__ import annotations

import base64
import binascii
import contextlib
from collections.abc import AsyncIterator, Iterable
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import structlog
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from jasshaus.api.common.v1.rules_pb2 import RuleSet as RuleSetMessage
from jasshaus.api.common.v1.rules_pb2 import Variant as VariantMessage
from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.api.matchmaking.v1 import matchmaking_pb2_grpc as pb_grpc
from jasshaus.contracts.rules import rule_set_from_proto, rule_set_to_proto, variant_from_proto
from jasshaus.contracts.wording import WordsError, words_of
from jasshaus.matchmaking import codec
from jasshaus.matchmaking.catalog import Catalog
from jasshaus.matchmaking.config import Config
from jasshaus.matchmaking.domain import SEATS, Attempt, Opening, attempt
from jasshaus.matchmaking.games.lifecycle import Lifecycle
from jasshaus.matchmaking.games.saga import Saga
from jasshaus.matchmaking.lobby.board import Notice
from jasshaus.matchmaking.lobby.feed import Feed, Heartbeat, Reconnect, Snapshot, Update
from jasshaus.matchmaking.lobby.store import is_member
from jasshaus.matchmaking.rows.strays import StrayStore
from jasshaus.matchmaking.stuck import Stuck
from jasshaus.matchmaking.upkeep.restoring import Report, ReportedSeat, Restoring
from jasshaus.platform.auth import Principal, Role, current_principal
from jasshaus.platform.errors import failed_precondition, invalid_argument, not_found
from jasshaus.platform.stopping import Stopping
from jasshaus.platform.tasks import Tasks
from jasshaus.platform.validation import bounded_int, known_enum, page_size, required, uuid_field
from jasshaus.rules.core.options import PRESETS, OptionError, RuleSet, Variant

SERVICES: Final = (
    "jasshaus.api.matchmaking.v1.LobbyService",
    "jasshaus.api.matchmaking.v1.HistoryService",
    "jasshaus.api.matchmaking.v1.OperatorService",
)
_LAST_SEAT: Final = 3
_MOST_TABLES: Final = 1000

log = structlog.stdlib.get_logger(__name__)


class LobbyServicer(pb_grpc.LobbyServiceServicer):
    """Open games. The tenant is always the caller's."""

    def __init__(
        self,
        saga: Saga,
        feed: Feed,
        catalog: Catalog,
        work: Tasks,
        stopping: Stopping,
        config: Config,
    ) -> None:
        self._saga = saga
        self._feed = feed
        self._catalog = catalog
        self._work = work
        self._stopping = stopping
        self._config = config

    async def GetCatalog(self, request: pb.GetCatalogRequest, context: Any) -> pb.GetCatalogResponse:
        try:
            words = words_of(request.language_code, request.deck)
        except WordsError as error:
            raise invalid_argument(error.field, error.text) from None
        quotes = await self._catalog.quotes(current_principal().tenant)
        return pb.GetCatalogResponse(
            presets=[
                pb.GetCatalogResponse.Preset(
                    name=name,
                    rule_set=rule_set_to_proto(PRESETS[name], name),
                    recommended=index == 0,
                    title=words.preset(name),
                    rules_in_words=words.rules(PRESETS[name]),
                )
                for index, name in enumerate(self._catalog.presets)
            ],
            stakes=map(codec.quote_to_proto, quotes),
            max_games_per_player=self._config.max_games,
        )

    async def OpenGame(self, request: pb.OpenGameRequest, context: Any) -> pb.OpenGameResponse:
        request_id = uuid_field(request.request_id, "request_id")
        seat = bounded_int(request.seat, "seat", low=0, high=_LAST_SEAT)
        rules = self._catalog.rules(request.preset, request.overrides)
        self._catalog.check_stake(request.stake.currency_code, request.stake.minor_units)
        opening = Opening(
            preset=request.preset,
            rules=rules,
            currency=self._config.currency,
            stake=request.stake.minor_units,
            opener_seat=seat,
            ttl=self._config.game_ttl,
            patience=self._config.reservation_ttl,
        )
        made = self._attempt(request_id, request)
        view = await self._work.run(self._saga.open(made, request_id, opening))
        return pb.OpenGameResponse(game=codec.game_to_proto(view))

    async def ListOpenGames(self, request: pb.ListOpenGamesRequest, context: Any) -> pb.ListOpenGamesResponse:
        size = page_size(request.page_size)
        variant = None
        if request.variant:
            variant = variant_from_proto(known_enum(request.variant, "variant", VariantMessage.values()))
        after = _place(request.page_token, variant)
        board = await self._feed.board(current_principal().tenant)
        notices, place = board.page(variant, size, after)
        return codec.games_page((each.message for each in notices), _page_token(place, variant))

    async def WatchLobby(
        self, request: pb.WatchLobbyRequest, context: Any
    ) -> AsyncIterator[pb.WatchLobbyResponse]:
        principal = current_principal()
        player = principal.subject if Role.PLAYER in principal.roles else None
        updates = self._feed.watch(principal.tenant, player, self._stopping)
        async with contextlib.aclosing(updates):  # type: ignore[type-var]  # an async generator
            async for update in updates:
                yield _update(update)

    async def JoinGame(self, request: pb.JoinGameRequest, context: Any) -> pb.JoinGameResponse:
        request_id = uuid_field(request.request_id, "request_id")
        game_id = uuid_field(request.game_id, "game_id")
        seat = None
        if request.HasField("seat"):
            seat = bounded_int(request.seat, "seat", low=0, high=_LAST_SEAT)
        made = self._attempt(request_id, request)
        view, number = await self._work.run(self._saga.join(made, game_id, seat))
        return pb.JoinGameResponse(game=codec.game_to_proto(view), seat=number)

    async def LeaveGame(self, request: pb.LeaveGameRequest, context: Any) -> pb.LeaveGameResponse:
        request_id = uuid_field(request.request_id, "request_id")
        game_id = uuid_field(request.game_id, "game_id")
        made = self._attempt(request_id, request)
        view = await self._work.run(self._saga.leave(made, game_id))
        return pb.LeaveGameResponse(game=codec.game_to_proto(view))

    async def GetGame(self, request: pb.GetGameRequest, context: Any) -> pb.GetGameResponse:
        game_id = uuid_field(request.game_id, "game_id")
        game = await self._saga.find(current_principal().tenant, game_id)
        return pb.GetGameResponse(game=codec.game_to_proto(await self._saga.view(game)))

    @staticmethod
    def _attempt(request_id: Any, request: Message) -> Attempt:
        principal: Principal = current_principal()
        for name in ("request_id", "game_id"):
            # A client that spells an id differently on a retry makes the same request.
            if name in request.DESCRIPTOR.fields_by_name:
                setattr(request, name, getattr(request, name).lower())
        body = request.SerializeToString(deterministic=True).hex()
        return attempt(principal.tenant, principal.subject, request_id, type(request).__name__, body)


class HistoryServicer(pb_grpc.HistoryServiceServicer):
    """Results reported by tables."""

    def __init__(self, saga: Saga, lifecycle: Lifecycle, restoring: Restoring, work: Tasks) -> None:
        self._saga = saga
        self._lifecycle = lifecycle
        self._restoring = restoring
        self._work = work

    async def ReportMatch(self, request: pb.ReportMatchRequest, context: Any) -> pb.ReportMatchResponse:
        table_id = uuid_field(request.table_id, "table_id")
        game_id = uuid_field(request.game_id, "game_id")
        tenant = required(request.tenant, "tenant", max_length=63)
        if not request.voided and not request.result.winning_seats:
            raise invalid_argument("result.winning_seats", "is required unless voided")
        if any(seat > _LAST_SEAT for seat in request.result.winning_seats):
            raise invalid_argument("result.winning_seats", f"must be from 0 to {_LAST_SEAT}")
        game = await self._saga.find(tenant, game_id)
        if game.table_id is None:
            # Its match is over: the row is outdated, and the pot shows the outcome.
            await self._restoring.hurry(game_id)
            raise failed_precondition("RESULT_CONFLICT", "the game has not started")
        if game.table_id != table_id:
            raise not_found("GAME_NOT_FOUND", "the game is played at another table", game_id=str(game_id))
        result = codec.result_from_proto(request.result, voided=request.voided)
        await self._work.run(self._lifecycle.end(game, result))
        return pb.ReportMatchResponse()

    async def RestoreGame(self, request: pb.RestoreGameRequest, context: Any) -> pb.RestoreGameResponse:
        rules = _reported_rules(request.rule_set)
        quoted = request.HasField("quote") and request.quote.stake.minor_units > 0
        report = Report(
            game_id=uuid_field(request.game_id, "game_id"),
            table_id=uuid_field(request.table_id, "table_id"),
            tenant=required(request.tenant, "tenant", max_length=63),
            seats=_reported_seats(request.seats),
            preset=request.rule_set.preset,
            rules=rules,
            quote=codec.quote_from_proto(request.quote) if quoted else None,
            end_time=request.end_time.ToDatetime(UTC) if request.HasField("end_time") else None,
        )
        restored = await self._work.run(self._restoring.restore(report))
        return pb.RestoreGameResponse(restored=restored)

    async def CheckMatches(self, request: pb.CheckMatchesRequest, context: Any) -> pb.CheckMatchesResponse:
        if len(request.table_ids) > _MOST_TABLES:
            raise invalid_argument("table_ids", f"must be at most {_MOST_TABLES}")
        table_ids = [uuid_field(each, "table_ids") for each in request.table_ids]
        unnamed = await self._restoring.unnamed(table_ids)
        return pb.CheckMatchesResponse(table_ids=map(str, unnamed))


class OperatorServicer(pb_grpc.OperatorServiceServicer):
    """Stuck pots of all tenants."""

    def __init__(self, strays: StrayStore, grace: float) -> None:
        self._strays = strays
        self._grace = grace

    async def ListStuckPots(self, request: pb.ListStuckPotsRequest, context: Any) -> pb.ListStuckPotsResponse:
        size = page_size(request.page_size)
        found = await self._strays.page(_stuck_place(request.page_token), size + 1, self._grace)
        token = _stuck_token(found[size - 1]) if len(found) > size else ""
        return pb.ListStuckPotsResponse(pots=map(codec.stuck_to_proto, found[:size]), next_page_token=token)


def _reported_rules(message: RuleSetMessage) -> RuleSet:
    try:
        return rule_set_from_proto(message)
    except OptionError as error:
        raise invalid_argument(f"rule_set.{error.field}", error.text, "OPTION_INVALID") from None


def _reported_seats(messages: Iterable[pb.RestoredSeat]) -> tuple[ReportedSeat, ...]:
    seats = tuple(
        ReportedSeat(
            each.seat,
            required(each.player_id, "seats.player_id", max_length=128),
            uuid_field(each.reservation_id, "seats.reservation_id") if each.reservation_id else None,
        )
        for each in messages
    )
    if tuple(each.seat for each in seats) != SEATS or len({each.player for each in seats}) != len(SEATS):
        raise invalid_argument("seats", "must be four players, in seat order")
    return seats


def _stuck_token(stuck: Stuck) -> str:
    place = f"stuck/{stuck.since.astimezone(UTC).isoformat()}/{stuck.stray.pot_id}"
    return base64.urlsafe_b64encode(place.encode()).decode()


def _stuck_place(token: str) -> tuple[datetime, UUID] | None:
    if not token:
        return None
    try:
        text = base64.b64decode(token.encode(), altchars=b"-_", validate=True).decode()
        kind, since, pot_id = text.split("/")
        place = datetime.fromisoformat(since), UUID(pot_id)
    except (binascii.Error, ValueError):
        kind, place = "", None
    if kind != "stuck" or place is None or place[0].tzinfo is None:
        raise invalid_argument("page_token", "is not a token of this list", "INVALID_PAGE_TOKEN")
    return place


def _update(update: Update) -> pb.WatchLobbyResponse:
    match update:
        case Snapshot():
            return codec.snapshot_update(notice.message for notice in update.notices)
        case Notice():
            return codec.game_update(update.message)
        case Heartbeat():
            return pb.WatchLobbyResponse(heartbeat=pb.WatchLobbyResponse.Heartbeat())
        case Reconnect():
            delay = Duration()
            delay.FromMilliseconds(round(update.seconds * 1000))
            return pb.WatchLobbyResponse(reconnect=pb.WatchLobbyResponse.Reconnect(delay=delay))


def _page_token(place: str, variant: Variant | None) -> str:
    if not place:
        return ""
    return base64.urlsafe_b64encode(f"games/{variant or ''}/{place}".encode()).decode()


def _place(token: str, variant: Variant | None) -> str:
    if not token:
        return ""
    try:
        text = base64.b64decode(token.encode(), altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeError):
        text = ""
    prefix = f"games/{variant or ''}/"
    if not text.startswith(prefix) or not is_member(text.removeprefix(prefix)):
        raise invalid_argument("page_token", "is not a token of this list", "INVALID_PAGE_TOKEN")
    return text.removeprefix(prefix)
