from __future__ import annotations

import asyncio
import socket
import time

import grpc
import pytest

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.common.v1.rules_pb2 import RuleSet
from jasshaus.api.matchmaking.v1.matchmaking_pb2 import (
    Game,
    GetGameResponse,
    JoinGameResponse,
    OpenGameResponse,
)
from jasshaus.api.table.v1.table_pb2 import ActResponse, TableView
from jasshaus.api.wallet.v1.wallet_pb2 import Balance, Entry, GetBalanceResponse, ListEntriesResponse
from jasshaus.client import (
    Denied,
    InvalidArgument,
    JassError,
    Jasshaus,
    LimitReached,
    NotFound,
    Patience,
    Refused,
    Stale,
    Unauthenticated,
    Unavailable,
    actions,
)

from .conftest import QUICK, Failure, Script, bad_field

CODE = grpc.StatusCode
AWAY = Failure(CODE.UNAVAILABLE, "WALLET_UNAVAILABLE")
CHF2 = Amount(currency_code="CHF", minor_units=200)


async def test_arguments_become_the_request(jass: Jasshaus, script: Script) -> None:
    script.answer("OpenGame", OpenGameResponse(game=Game(game_id="g")))

    game = await jass.lobby.open_game("schieber-classic", stake=CHF2, overrides=RuleSet(target=500), seat=3)

    assert game.game_id == "g"
    [(_, request, token)] = script.calls
    assert token == "Bearer secret"
    assert (request.preset, request.stake, request.overrides.target, request.seat) == (
        "schieber-classic",
        CHF2,
        500,
        3,
    )
    assert len(request.request_id) == 36


async def test_unset_arguments_stay_unset(jass: Jasshaus, script: Script) -> None:
    script.answer("OpenGame", OpenGameResponse())
    await jass.lobby.open_game("schieber-partner")
    [request] = script.requests("OpenGame")
    assert not request.HasField("seat")
    assert not request.HasField("stake")
    assert not request.HasField("overrides")


async def test_a_call_nobody_answers_is_repeated_with_the_same_request_id(
    jass: Jasshaus, script: Script
) -> None:
    script.answer("JoinGame", AWAY, AWAY, JoinGameResponse(seat=2))
    assert (await jass.lobby.join_game("g")).seat == 2
    ids = {request.request_id for request in script.requests("JoinGame")}
    assert len(script.calls) == 3
    assert len(ids) == 1


async def test_two_calls_have_two_request_ids(jass: Jasshaus, script: Script) -> None:
    script.answer("JoinGame", JoinGameResponse(), JoinGameResponse())
    await jass.lobby.join_game("g")
    await jass.lobby.join_game("g")
    assert len({request.request_id for request in script.requests("JoinGame")}) == 2


async def test_the_pause_the_server_names_is_kept(jass: Jasshaus, script: Script) -> None:
    script.answer("JoinGame", Failure(CODE.UNAVAILABLE, "SHUTTING_DOWN", retry_after=0.4), JoinGameResponse())
    started = time.monotonic()
    await jass.lobby.join_game("g")
    assert time.monotonic() - started >= 0.4


async def test_a_limit_that_passes_is_waited_for_and_another_is_raised(
    jass: Jasshaus, script: Script
) -> None:
    script.answer(
        "JoinGame",
        Failure(CODE.RESOURCE_EXHAUSTED, "RATE_LIMITED", retry_after=0.05),
        Failure(CODE.RESOURCE_EXHAUSTED, "TOO_MANY_GAMES"),
    )
    with pytest.raises(LimitReached) as caught:
        await jass.lobby.join_game("g")
    assert caught.value.reason == "TOO_MANY_GAMES"


async def test_patience_ends(address: str, script: Script) -> None:
    script.answer("GetGame", *[AWAY] * 50)
    patience = Patience(call=0.5, attempt=0.2)
    async with Jasshaus(
        matchmaking=address, table=address, wallet=address, token="t", patience=patience
    ) as jass:
        started = time.monotonic()
        with pytest.raises(Unavailable):
            await jass.lobby.get_game("g")
        assert time.monotonic() - started < 1


async def test_no_server_at_all() -> None:
    patience = Patience(call=0.5, attempt=0.2)
    where = "127.0.0.1:1"
    async with Jasshaus(matchmaking=where, table=where, wallet=where, token="t", patience=patience) as jass:
        with pytest.raises(Unavailable) as caught:
            await jass.lobby.get_catalog()
        assert caught.value.reason == ""


async def test_a_service_that_was_never_there_is_given_up_soon_and_named() -> None:
    where = "127.0.0.1:1"
    patience = Patience(connect=0.3)
    async with Jasshaus(matchmaking=where, table=where, wallet=where, token="t", patience=patience) as jass:
        started = time.monotonic()
        with pytest.raises(Unavailable, match=f"no answer from {where}"):
            await jass.lobby.get_catalog()
        with pytest.raises(Unavailable, match=f"no answer from {where}"):
            await anext(jass.lobby.watch_lobby())
        assert time.monotonic() - started < 3


async def test_a_service_that_starts_meanwhile_is_waited_for() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        where = f"127.0.0.1:{free.getsockname()[1]}"
    server = grpc.aio.server()
    patience = Patience(call=20, connect=20)
    async with Jasshaus(matchmaking=where, table=where, wallet=where, token="t", patience=patience) as jass:
        asking = asyncio.create_task(jass.lobby.get_catalog())
        await asyncio.sleep(0.3)
        server.add_insecure_port(where)
        await server.start()
        with pytest.raises(JassError) as caught:
            await asking
    assert caught.value.code is CODE.UNIMPLEMENTED
    await server.stop(0)


@pytest.mark.parametrize(
    ("code", "reason", "kind"),
    [
        (CODE.INVALID_ARGUMENT, "INVALID_FIELD", InvalidArgument),
        (CODE.NOT_FOUND, "GAME_NOT_FOUND", NotFound),
        (CODE.FAILED_PRECONDITION, "INSUFFICIENT_FUNDS", Refused),
        (CODE.PERMISSION_DENIED, "ROLE_NOT_ALLOWED", Denied),
        (CODE.UNAUTHENTICATED, "TOKEN_INVALID", Unauthenticated),
        (CODE.UNAUTHENTICATED, "TOKEN_EXPIRED", Unauthenticated),
        (CODE.INTERNAL, "INTERNAL", JassError),
    ],
)
async def test_a_refusal_is_raised_at_once(
    jass: Jasshaus, script: Script, code: grpc.StatusCode, reason: str, kind: type[JassError]
) -> None:
    script.answer("JoinGame", Failure(code, reason, bad_field("seat", "0 to 3")))
    with pytest.raises(kind) as caught:
        await jass.lobby.join_game("g")
    error = caught.value
    assert (error.code, error.reason, error.message) == (code, reason, f"because of {reason}")
    assert error.metadata == {"k": "v"}
    assert error.violations == (("seat", "0 to 3"),)
    assert len(script.calls) == 1


async def test_a_stale_version_is_raised_with_the_view(jass: Jasshaus, script: Script) -> None:
    script.answer("Act", Failure(CODE.ABORTED, "STALE_VERSION", TableView(version=7)))
    with pytest.raises(Stale) as caught:
        await jass.table.act("t", actions.push(), expected_version=6)
    assert caught.value.view == TableView(version=7)


async def test_another_lost_race_is_run_again(jass: Jasshaus, script: Script) -> None:
    script.answer("Act", Failure(CODE.ABORTED, ""), ActResponse(version=2))
    assert (await jass.table.act("t", actions.claim())).version == 2


async def test_an_expired_token_is_renewed_once(address: str, script: Script) -> None:
    expired = Failure(CODE.UNAUTHENTICATED, "TOKEN_EXPIRED")
    tokens = iter("abcd")

    async def token() -> str:
        return next(tokens)

    script.answer("GetGame", expired, GetGameResponse(), expired, expired)
    async with Jasshaus(
        matchmaking=address, table=address, wallet=address, token=token, patience=QUICK
    ) as jass:
        await jass.lobby.get_game("g")
        with pytest.raises(Unauthenticated):
            await jass.lobby.get_game("g")
    assert [token for _, _, token in script.calls] == ["Bearer a", "Bearer b", "Bearer c", "Bearer d"]


async def test_a_statement_is_read_to_its_last_page(jass: Jasshaus, script: Script) -> None:
    script.answer(
        "ListEntries",
        ListEntriesResponse(entries=[Entry(sequence=3), Entry(sequence=2)], next_page_token="more"),
        ListEntriesResponse(entries=[Entry(sequence=1)]),
    )
    assert [entry.sequence async for entry in jass.wallet.all_entries("CHF")] == [3, 2, 1]
    assert [request.page_token for request in script.requests("ListEntries")] == ["", "more"]


async def test_one_balance(jass: Jasshaus, script: Script) -> None:
    script.answer("GetBalance", GetBalanceResponse(balances=[Balance(available=CHF2)]))
    assert (await jass.wallet.get_balance("CHF")).available == CHF2


def test_actions_say_what_they_are() -> None:
    assert actions.come_back().WhichOneof("action") == "come_back"
    assert actions.leave().WhichOneof("action") == "leave"
    assert actions.declare_weis().WhichOneof("action") == "declare_weis"
    assert actions.announce_points(0).WhichOneof("action") == "announce_points"
