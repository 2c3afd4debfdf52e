"""Bad input to every RPC: the right code, a reason of the contract, nothing changed, no inside told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any
from uuid import uuid4

import grpc
import jwt
import pytest
from google.protobuf import message_factory, symbol_database
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.common.v1.reasons_pb2 import ErrorReason
from jasshaus.api.common.v1.rules_pb2 import RuleSet
from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as mm
from jasshaus.api.table.v1 import table_pb2 as tb
from jasshaus.api.wallet.v1 import wallet_pb2 as wl
from jasshaus.client import JassError
from jasshaus.client.errors import from_rpc_error
from jasshaus.devstack.stack import Stack
from jasshaus.platform.access import ACCESS
from jasshaus.platform.auth import Role

from .conftest import House, Party, chf

CODE = grpc.StatusCode
REASONS = {name.removeprefix("ERROR_REASON_") for name in ErrorReason.keys()}  # noqa: SIM118 - an enum is no mapping
FILES = (wl.DESCRIPTOR, mm.DESCRIPTOR, tb.DESCRIPTOR)
METHODS: dict[str, MethodDescriptor] = {
    f"/{service.full_name}/{method.name}": method
    for file in FILES
    for service in file.services_by_name.values()
    for method in service.methods
}
EVERY_RPC = pytest.mark.parametrize("method", METHODS, ids=lambda name: name.rpartition(".")[2])
REFUSALS = {
    CODE.INVALID_ARGUMENT,
    CODE.NOT_FOUND,
    CODE.FAILED_PRECONDITION,
    CODE.ABORTED,
    CODE.RESOURCE_EXHAUSTED,
    CODE.PERMISSION_DENIED,
}
INSIDES = ("Traceback", 'File "', "psycopg", "redis", "asyncio", "SELECT", "jasshaus.", ".py")


def message_class(method: MethodDescriptor, part: str) -> type[Message]:
    symbol_database.Default()
    return message_factory.GetMessageClass(getattr(method, part))  # type: ignore[no-any-return]


class Line:
    """Raw connections to the three services."""

    def __init__(self, house: House) -> None:
        self.stack: Stack = house.stack
        self._channels = {
            "wallet": grpc.aio.insecure_channel(self.stack.endpoints.wallet),
            "matchmaking": grpc.aio.insecure_channel(self.stack.endpoints.matchmaking),
            "table": grpc.aio.insecure_channel(self.stack.endpoints.table),
        }

    async def close(self) -> None:
        for channel in self._channels.values():
            await channel.close()

    async def call(self, method: str, request: Message | bytes, token: str | None) -> Message | JassError:
        """Make a call; returns the answer (of a stream the first), or the error."""
        described = METHODS.get(method)
        channel = self._channels[method.split(".")[2]]
        decode = message_class(described, "output_type").FromString if described else bytes
        streams = described is not None and described.server_streaming
        make = channel.unary_stream if streams else channel.unary_unary
        call: Any = make(
            method,
            request_serializer=lambda each: each if isinstance(each, bytes) else each.SerializeToString(),
            response_deserializer=decode,
        )
        metadata = [] if token is None else [("authorization", f"Bearer {token}")]
        running = call(request, metadata=metadata, timeout=20)
        try:
            if streams:
                return await running.read()  # type: ignore[no-any-return]
            return await running  # type: ignore[no-any-return]
        except grpc.aio.AioRpcError as error:
            return from_rpc_error(error)
        finally:
            running.cancel()

    async def refused(
        self, method: str, request: Message | bytes, token: str | None, code: grpc.StatusCode, *reasons: str
    ) -> JassError:
        """Make a call that has to be refused with that code and one of these reasons."""
        answer = await self.call(method, request, token)
        assert isinstance(answer, JassError), (method, request, answer)
        assert (answer.code, answer.reason in reasons) == (code, True), (method, request, answer.code, answer)
        assert answer.reason in REASONS
        assert not any(word in answer.message for word in INSIDES), answer.message
        return answer

    def token(self, role: Role, subject: str = "somebody", tenant: str = "default") -> str:
        return self.stack.token(subject, [role], tenant)

    def allowed(self, method: str) -> str:
        """A token that may call this RPC."""
        return self.token(min(ACCESS[method]), subject=f"stranger-{uuid4()}")


@pytest.fixture
async def line(house: House) -> AsyncIterator[Line]:
    made = Line(house)
    yield made
    await made.close()


def empty(method: str) -> Message:
    return message_class(METHODS[method], "input_type")()


def test_the_sweep_covers_the_role_table() -> None:
    assert set(METHODS) == set(ACCESS)


@EVERY_RPC
async def test_who_cannot_say_who_he_is_is_refused(line: Line, method: str) -> None:
    now = int(time.time())
    claims = {
        "sub": "anna",
        "roles": ["player", "operator"],
        "tenant": "default",
        "iat": now,
        "exp": now + 600,
    }
    secret = "not the secret of this stack, but as long as the longest digest needs it"
    real = line.token(Role.OPERATOR)
    head, body, _ = real.split(".")
    bad = {
        "forged": jwt.encode(claims, secret, algorithm="HS256"),
        "unsigned": jwt.encode(claims, None, algorithm="none"),
        "other algorithm": jwt.encode(claims, secret, algorithm="HS512"),
        "signature of another token": f"{head}.{body}.{line.token(Role.PLAYER).split('.')[2]}",
        "cut short": real[:-4],
        "no token": "nonsense",
        "three dots": "...",
        "very long": "a" * 9_000,
    }
    await line.refused(method, empty(method), None, CODE.UNAUTHENTICATED, "TOKEN_MISSING")
    for token in bad.values():
        await line.refused(method, empty(method), token, CODE.UNAUTHENTICATED, "TOKEN_INVALID")
    expired = line.stack.token("anna", list(Role)[:1], ttl=-60)
    await line.refused(method, empty(method), expired, CODE.UNAUTHENTICATED, "TOKEN_EXPIRED")


@EVERY_RPC
async def test_who_may_not_call_is_refused(line: Line, method: str) -> None:
    for role in set(Role) - set(ACCESS[method]):
        await line.refused(
            method, empty(method), line.token(role), CODE.PERMISSION_DENIED, "ROLE_NOT_ALLOWED"
        )
    nobody = line.stack.token("nobody", [])
    await line.refused(method, empty(method), nobody, CODE.PERMISSION_DENIED, "ROLE_NOT_ALLOWED")


@EVERY_RPC
async def test_more_than_4_mib_are_refused(line: Line, method: str) -> None:
    answer = await line.call(method, b"\x7a\x80\x80\xc0\x02" + b"x" * (5 << 20), line.allowed(method))
    assert isinstance(answer, JassError)
    assert answer.code is CODE.RESOURCE_EXHAUSTED


@EVERY_RPC
async def test_bytes_that_are_no_message_are_refused(line: Line, method: str) -> None:
    await line.refused(
        method, b"\xff\xff\xff\xff", line.allowed(method), CODE.INVALID_ARGUMENT, "MALFORMED_MESSAGE"
    )


@pytest.mark.parametrize(
    "service", ["wallet.v1.WalletService", "matchmaking.v1.LobbyService", "table.v1.TableService"]
)
async def test_there_is_no_such_method(line: Line, service: str) -> None:
    answer = await line.call(f"/jasshaus.api.{service}/Nonsense", b"", line.token(Role.PLAYER))
    assert isinstance(answer, JassError)
    assert answer.code is CODE.UNIMPLEMENTED


def strange_values(field: FieldDescriptor) -> Iterator[Any]:
    match field.type:
        case FieldDescriptor.TYPE_STRING:
            yield from (
                "",
                " ",
                "x" * 10_000,
                "\0",
                "\ud7ff\u202e",
                "' OR 1=1 --",
                "../../etc/passwd",
                "null",
                "-1",
            )
            yield from (str(uuid4()).upper(), str(uuid4()), "{" + str(uuid4()) + "}", uuid4().hex)
        case FieldDescriptor.TYPE_BYTES:
            yield from (b"", b"x", b"\xff" * 32, b"\0" * 10_000)
        case FieldDescriptor.TYPE_ENUM:
            yield from (0, 99, -1, 2**31 - 1)
        case FieldDescriptor.TYPE_INT32:
            yield from (0, -1, 2**31 - 1, -(2**31))
        case FieldDescriptor.TYPE_INT64:
            yield from (0, -1, 2**63 - 1, -(2**63), 10**12 + 1)
        case FieldDescriptor.TYPE_UINT32:
            yield from (0, 4, 2**32 - 1)
        case FieldDescriptor.TYPE_UINT64:
            yield from (0, 2**64 - 1)
        case FieldDescriptor.TYPE_BOOL:
            yield from (True, False)
        case other:
            raise AssertionError(other)


def spoiled(request: Message, depth: int = 0) -> Iterator[Message]:
    """The request with one field after the other made strange, those of messages inside included."""
    for field in request.DESCRIPTOR.fields:
        if field.is_repeated:
            for count in (1, 5, 300):
                copy = type(request)()
                copy.CopyFrom(request)
                into = getattr(copy, field.name)
                if field.message_type is not None:
                    for _ in range(count):
                        into.add()
                else:
                    into.extend([next(strange_values(field))] * count)
                yield copy
        elif field.message_type is not None:
            if depth < 3:
                # Not every sub-message is there: spoil an empty one too.
                for inner in spoiled(getattr(request, field.name), depth + 1):
                    copy = type(request)()
                    copy.CopyFrom(request)
                    getattr(copy, field.name).CopyFrom(inner)
                    getattr(copy, field.name).SetInParent()
                    yield copy
        else:
            for value in strange_values(field):
                copy = type(request)()
                copy.CopyFrom(request)
                try:
                    setattr(copy, field.name, value)
                except ValueError:
                    continue
                yield copy


def sound(method: str) -> Message:
    """A request that is well formed, about things that do not exist."""
    name = method.rpartition("/")[2]
    some = [str(uuid4()) for _ in range(3)]
    stake = chf(200)
    match = [wl.MatchSeat(seat=seat, player_id=f"p{seat}", reservation_id=str(uuid4())) for seat in range(4)]
    requests: dict[str, Message] = {
        "GetBalance": wl.GetBalanceRequest(currency_code="CHF"),
        "ListEntries": wl.ListEntriesRequest(currency_code="CHF"),
        "QuotePots": wl.QuotePotsRequest(tenant="default", stakes=[stake]),
        "OpenPot": wl.OpenPotRequest(pot_id=some[0], tenant="default", stake=stake),
        "HoldStake": wl.HoldStakeRequest(pot_id=some[0], reservation_id=some[1], seat=1, player_id="anna"),
        "ReleaseStake": wl.ReleaseStakeRequest(pot_id=some[0], reservation_id=some[1]),
        "LockPot": wl.LockPotRequest(
            pot_id=some[0],
            holds=[
                wl.Hold(seat=seat, player_id=f"p{seat}", reservation_id=str(uuid4()), amount=stake)
                for seat in range(4)
            ],
        ),
        "SettlePot": wl.SettlePotRequest(
            pot_id=some[0], winning_seats=[0, 2], result_digest=b"\1" * 32, table_id=some[1], seats=match
        ),
        "RefundPot": wl.RefundPotRequest(pot_id=some[0], reason=wl.RefundReason.REFUND_REASON_GAME_CLOSED),
        "GetPot": wl.GetPotRequest(pot_id=some[0]),
        "ListPots": wl.ListPotsRequest(tenant="elsewhere"),
        "ReconcilePot": wl.ReconcilePotRequest(
            pot_id=some[0], table_id=some[1], seats=match, playing=wl.ReconcilePotRequest.Playing()
        ),
        "Withdraw": wl.WithdrawRequest(request_id=some[0], player_id="anna", amount=stake, reference=some[1]),
        "Correct": wl.CorrectRequest(request_id=some[0], player_id="anna", amount=stake, reference=some[1]),
        "SetFeeSchedule": wl.SetFeeScheduleRequest(request_id=some[0], tenant="elsewhere", fee_bps=300),
        "ForceRefundPot": wl.ForceRefundPotRequest(request_id=some[0], pot_id=some[1], reason="test"),
        "ForceSettlePot": wl.ForceSettlePotRequest(
            request_id=some[0], pot_id=some[1], winning_seats=[0, 2], reason="test"
        ),
        "Deposit": wl.DepositRequest(request_id=some[0], player_id="anna", amount=stake),
        "OpenGame": mm.OpenGameRequest(request_id=some[0], preset="schieber-classic", stake=stake),
        "JoinGame": mm.JoinGameRequest(request_id=some[0], game_id=some[1]),
        "LeaveGame": mm.LeaveGameRequest(request_id=some[0], game_id=some[1]),
        "GetGame": mm.GetGameRequest(game_id=some[0]),
        "ReportMatch": mm.ReportMatchRequest(
            table_id=some[0],
            game_id=some[1],
            tenant="default",
            result=mm.GameResult(winning_seats=[0, 2], points=[500, 300]),
        ),
        "CreateTable": tb.CreateTableRequest(
            table_id=some[0],
            game_id=some[1],
            tenant="default",
            seats=[tb.Seat(seat=seat, player_id=f"p{seat}") for seat in range(4)],
            stake=stake,
        ),
        "GetTable": tb.GetTableRequest(table_id=some[0]),
        "Act": tb.ActRequest(table_id=some[0], request_id=some[1], action=tb.Action(claim=tb.Action.Claim())),
        "WatchTable": tb.WatchTableRequest(table_id=some[0]),
        "AbortTable": tb.AbortTableRequest(table_id=some[0], reason="test"),
        "GetResult": tb.GetResultRequest(table_id=some[0]),
        "ReconcileTable": tb.ReconcileTableRequest(table_id=some[0], game_id=some[1]),
        "CheckMatches": mm.CheckMatchesRequest(table_ids=some[:2]),
        "RestoreGame": mm.RestoreGameRequest(
            table_id=some[0],
            game_id=some[1],
            tenant="default",
            seats=[
                mm.RestoredSeat(seat=seat, player_id=f"p{seat}", reservation_id=str(uuid4()))
                for seat in range(4)
            ],
        ),
    }
    return requests.get(name, empty(method))


@EVERY_RPC
async def test_whatever_is_strange_is_answered_or_refused_in_the_contracts_words(
    line: Line, method: str
) -> None:
    for request in [empty(method), *spoiled(sound(method)), *spoiled(empty(method))]:
        if isinstance(request, wl.SetFeeScheduleRequest) and not request.tenant:
            # Would count for all that plays here, with whatever strange fee it names.
            continue
        answer = await line.call(method, request, line.allowed(method))
        if isinstance(answer, JassError):
            assert answer.code in REFUSALS, (str(request)[:500], answer.code, answer)
            assert answer.reason in REASONS, (str(request)[:500], answer)
            assert not any(word in answer.message for word in INSIDES), answer.message
            if answer.code is CODE.INVALID_ARGUMENT:
                assert answer.violations, (str(request)[:500], answer)


UNKNOWN = str(uuid4())
UNKNOWN_THINGS = [
    ("wallet.v1.PotService/HoldStake", "POT_NOT_FOUND"),
    ("wallet.v1.PotService/LockPot", "POT_NOT_FOUND"),
    ("wallet.v1.PotService/SettlePot", "POT_NOT_FOUND"),
    ("wallet.v1.PotService/RefundPot", "POT_NOT_FOUND"),
    ("wallet.v1.PotService/ReleaseStake", "POT_NOT_FOUND"),
    ("wallet.v1.PotService/GetPot", "POT_NOT_FOUND"),
    ("wallet.v1.PotService/ReconcilePot", "POT_NOT_FOUND"),
    ("wallet.v1.CashierService/ForceRefundPot", "POT_NOT_FOUND"),
    ("wallet.v1.CashierService/ForceSettlePot", "POT_NOT_FOUND"),
    ("table.v1.TableService/GetResult", "RESULT_NOT_FOUND"),
    ("matchmaking.v1.LobbyService/GetGame", "GAME_NOT_FOUND"),
    ("matchmaking.v1.LobbyService/JoinGame", "GAME_NOT_FOUND"),
    ("matchmaking.v1.LobbyService/LeaveGame", "GAME_NOT_FOUND"),
    ("matchmaking.v1.HistoryService/ReportMatch", "GAME_NOT_FOUND"),
    ("table.v1.TableService/GetTable", "TABLE_NOT_FOUND"),
    ("table.v1.TableService/Act", "TABLE_NOT_FOUND"),
    ("table.v1.TableService/WatchTable", "TABLE_NOT_FOUND"),
]


@pytest.mark.parametrize(("rpc", "reason"), UNKNOWN_THINGS)
async def test_what_does_not_exist_is_not_found(line: Line, rpc: str, reason: str) -> None:
    method = f"/jasshaus.api.{rpc}"
    await line.refused(method, sound(method), line.allowed(method), CODE.NOT_FOUND, reason)


def malformed() -> Iterator[tuple[str, Message, str]]:
    """RPC, request, the field that is wrong."""
    some = str(uuid4())
    absurd = Amount(currency_code="CHF", minor_units=10**12 + 1)
    deposit = "wallet.v1.CashierService/Deposit"
    for amount in (
        chf(0),
        chf(-1),
        absurd,
        Amount(minor_units=5),
        Amount(currency_code="chf", minor_units=5),
    ):
        yield deposit, wl.DepositRequest(request_id=some, player_id="anna", amount=amount), "amount"
    yield deposit, wl.DepositRequest(request_id=some, player_id="anna"), "amount"
    yield deposit, wl.DepositRequest(request_id="1", player_id="anna", amount=chf(5)), "request_id"
    yield deposit, wl.DepositRequest(request_id=some, player_id="", amount=chf(5)), "player_id"
    yield deposit, wl.DepositRequest(request_id=some, player_id="x" * 129, amount=chf(5)), "player_id"
    yield deposit, wl.DepositRequest(request_id=some, player_id="a", tenant="No!", amount=chf(5)), "tenant"
    long = wl.DepositRequest(request_id=some, player_id="a", amount=chf(5), reference="x" * 129)
    yield deposit, long, "reference"
    yield "wallet.v1.WalletService/ListEntries", wl.ListEntriesRequest(), "currency_code"
    yield (
        "wallet.v1.WalletService/ListEntries",
        wl.ListEntriesRequest(currency_code="CHF", page_size=-1),
        "page_size",
    )
    yield (
        "wallet.v1.PotService/OpenPot",
        wl.OpenPotRequest(pot_id="x", tenant="default", stake=chf(5)),
        "pot_id",
    )
    yield (
        "wallet.v1.PotService/OpenPot",
        wl.OpenPotRequest(pot_id=some, tenant="default", stake=chf(0)),
        "stake",
    )
    yield "wallet.v1.PotService/GetPot", wl.GetPotRequest(pot_id=some.replace("-", "")), "pot_id"
    opening = "matchmaking.v1.LobbyService/OpenGame"
    for field, request in {
        "request_id": mm.OpenGameRequest(preset="schieber-classic"),
        "seat": mm.OpenGameRequest(request_id=some, preset="schieber-classic", seat=4),
        "preset": mm.OpenGameRequest(request_id=some, preset="skat"),
        "stake": mm.OpenGameRequest(request_id=some, preset="schieber-classic", stake=chf(3)),
        "target": mm.OpenGameRequest(
            request_id=some, preset="schieber-classic", overrides=RuleSet(target=99)
        ),
        "rounds": mm.OpenGameRequest(request_id=some, preset="schieber-classic", overrides=RuleSet(rounds=3)),
        "undertrump": mm.OpenGameRequest(
            request_id=some,
            preset="schieber-classic",
            overrides=RuleSet(undertrump=77),  # type: ignore[arg-type]
        ),
    }.items():
        yield opening, request, field
    yield opening, mm.OpenGameRequest(request_id=some, preset="schieber-classic", stake=chf(-200)), "stake"
    yield "matchmaking.v1.LobbyService/JoinGame", mm.JoinGameRequest(request_id=some, game_id="1"), "game_id"
    yield "matchmaking.v1.LobbyService/JoinGame", mm.JoinGameRequest(game_id=some), "request_id"
    yield (
        "matchmaking.v1.LobbyService/JoinGame",
        mm.JoinGameRequest(request_id=some, game_id=some, seat=9),
        "seat",
    )
    yield "matchmaking.v1.LobbyService/ListOpenGames", mm.ListOpenGamesRequest(page_size=-1), "page_size"
    yield "matchmaking.v1.LobbyService/ListOpenGames", mm.ListOpenGamesRequest(page_token="x"), "page_token"
    yield "table.v1.TableService/GetTable", tb.GetTableRequest(table_id="x"), "table_id"
    claim = tb.Action(claim=tb.Action.Claim())
    yield (
        "table.v1.TableService/Act",
        tb.ActRequest(table_id=some, request_id="x", action=claim),
        "request_id",
    )
    yield "table.v1.TableService/Act", tb.ActRequest(table_id=some, request_id=some), "action"
    no_card = tb.Action(play_card=tb.Action.PlayCard())
    yield "table.v1.TableService/Act", tb.ActRequest(table_id=some, request_id=some, action=no_card), "card"
    watch = tb.WatchTableRequest(table_id=some, device_id="x" * 65)
    yield "table.v1.TableService/WatchTable", watch, "device_id"
    yield "table.v1.TableService/AbortTable", tb.AbortTableRequest(table_id=some), "reason"


@pytest.mark.parametrize(("rpc", "request_", "field"), list(malformed()))
async def test_a_malformed_field_is_named(line: Line, rpc: str, request_: Message, field: str) -> None:
    method = f"/jasshaus.api.{rpc}"
    error = await line.refused(
        method,
        request_,
        line.allowed(method),
        CODE.INVALID_ARGUMENT,
        *("INVALID_FIELD", "INVALID_PAGE_TOKEN", "PRESET_NOT_FOUND", "OPTION_INVALID", "STAKE_NOT_OFFERED"),
    )
    assert any(field in name for name, _ in error.violations), error.violations


async def test_a_resume_token_that_is_none_is_refused(house: House, line: Line) -> None:
    party = await house.seat_four()
    request = tb.WatchTableRequest(table_id=await party.table_id(), resume_token=b"nonsense")
    token = line.token(Role.PLAYER, party.players[0])
    method = "/jasshaus.api.table.v1.TableService/WatchTable"
    await line.refused(method, request, token, CODE.INVALID_ARGUMENT, "INVALID_RESUME_TOKEN")


async def state(house: House, party: Party, table_id: str) -> list[object]:
    """All that a caller who may see it sees of a game: nothing of it may change."""
    view = await party.clients[0].table.get_table(table_id)
    view.clock.ClearField("server_time")
    return [
        view,
        await house.operator.lobby.get_game(party.game.game_id),
        await house.operator.wallet.get_pot(party.game.game_id),
        [await client.wallet.get_balance("CHF") for client in party.clients],
    ]


async def test_another_tenants_things_are_not_there(house: House, line: Line) -> None:
    party = await house.seat_four()
    (host,) = (await house.people(1)).values()
    open_game = await host.lobby.open_game("schieber-classic")
    table_id = await party.table_id()
    before = await state(house, party, table_id)
    # The same name in another tenant is another person.
    foreign = line.token(Role.PLAYER, party.players[0], "alpha")
    boss = line.token(Role.OPERATOR, "operator", "alpha")
    game_id, request_id = party.game.game_id, str(uuid4())
    claim = tb.Action(claim=tb.Action.Claim())
    not_found: list[tuple[str, Message, str, str]] = [
        ("matchmaking.v1.LobbyService/GetGame", mm.GetGameRequest(game_id=game_id), foreign, "GAME"),
        ("matchmaking.v1.LobbyService/GetGame", mm.GetGameRequest(game_id=game_id), boss, "GAME"),
        (
            "matchmaking.v1.LobbyService/JoinGame",
            mm.JoinGameRequest(request_id=request_id, game_id=open_game.game_id),
            foreign,
            "GAME",
        ),
        (
            "matchmaking.v1.LobbyService/LeaveGame",
            mm.LeaveGameRequest(request_id=request_id, game_id=game_id),
            foreign,
            "GAME",
        ),
        ("table.v1.TableService/GetTable", tb.GetTableRequest(table_id=table_id), foreign, "TABLE"),
        (
            "table.v1.TableService/Act",
            tb.ActRequest(table_id=table_id, request_id=request_id, action=claim),
            foreign,
            "TABLE",
        ),
        ("table.v1.TableService/WatchTable", tb.WatchTableRequest(table_id=table_id), foreign, "TABLE"),
    ]
    for rpc, request, token, kind in not_found:
        await line.refused(f"/jasshaus.api.{rpc}", request, token, CODE.NOT_FOUND, f"{kind}_NOT_FOUND")
    listed = await line.call(
        "/jasshaus.api.matchmaking.v1.LobbyService/ListOpenGames",
        mm.ListOpenGamesRequest(page_size=200),
        foreign,
    )
    assert listed == mm.ListOpenGamesResponse()
    balance = await line.call(
        "/jasshaus.api.wallet.v1.WalletService/GetBalance", wl.GetBalanceRequest(), foreign
    )
    assert balance == wl.GetBalanceResponse()
    assert await state(house, party, table_id) == before


async def test_somebody_elses_account_is_closed(house: House, line: Line) -> None:
    (name,) = await house.people(1)
    token = line.token(Role.PLAYER, "curious")
    for rpc, request in (
        ("GetBalance", wl.GetBalanceRequest(player_id=name)),
        ("ListEntries", wl.ListEntriesRequest(player_id=name, currency_code="CHF")),
    ):
        method = f"/jasshaus.api.wallet.v1.WalletService/{rpc}"
        await line.refused(method, request, token, CODE.PERMISSION_DENIED, "NOT_YOUR_ACCOUNT")


async def test_a_hundred_bad_calls_at_once_change_nothing_of_a_match(house: House, line: Line) -> None:
    party = await house.seat_four()
    table_id = await party.table_id()
    before = await state(house, party, table_id)
    method = "/jasshaus.api.table.v1.TableService/Act"
    token = line.token(Role.PLAYER, party.players[0])
    actions = [request.action for request in spoiled(sound(method)) if isinstance(request, tb.ActRequest)]
    harmless = [
        each for each in actions if each.WhichOneof("action") not in ("leave", "push", "choose_contract")
    ]
    answers = await asyncio.gather(
        *(
            line.call(method, tb.ActRequest(table_id=table_id, request_id=str(uuid4()), action=action), token)
            for action in harmless[:100]
        )
    )
    assert all(isinstance(answer, JassError) and answer.code in REFUSALS for answer in answers)
    assert await state(house, party, table_id) == before


async def test_one_log_line_an_rpc_and_no_token_in_it(house: House, line: Line) -> None:
    method = "/jasshaus.api.matchmaking.v1.LobbyService/GetGame"
    token, game_id = line.allowed(method), str(uuid4())
    await line.refused(method, mm.GetGameRequest(game_id=game_id), token, CODE.NOT_FOUND, "GAME_NOT_FOUND")
    await asyncio.sleep(0.2)
    logs = {path.stem: path.read_text() for path in (house.stack.data_dir / "logs").glob("*.log")}
    assert not any("Traceback" in text for text in logs.values()), [
        row for text in logs.values() for row in text.splitlines() if "Traceback" in row
    ][:3]
    assert token not in "".join(logs.values())
    subject = jwt.decode(token, options={"verify_signature": False})["sub"]
    assert len([row for row in logs["matchmaking"].splitlines() if subject in row]) <= 1
