"""The players of a storm: they open, join, leave and play, impatiently, and remember what they saw."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, aclosing, suppress
from functools import partial
from itertools import cycle
from typing import TypeVar
from uuid import uuid4

from faults.chronicle import Chronicle
from faults.findings import Findings
from faults.witness import FINAL, Witness
from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.common.v1.rules_pb2 import Announcements, RuleSet, TieRoundEligible
from jasshaus.api.matchmaking.v1.matchmaking_pb2 import Game, GameStatus, JoinGameResponse
from jasshaus.api.table.v1.table_pb2 import (
    Action,
    ActResponse,
    TableStatus,
    TableView,
    WatchTableResponse,
)
from jasshaus.cli.demo.players import choose
from jasshaus.client import (
    JassError,
    Jasshaus,
    LimitReached,
    NotFound,
    Patience,
    Refused,
    Stale,
    Unavailable,
    actions,
)

T = TypeVar("T")

PATIENCE = Patience(call=6, attempt=3, stream=60, silence=20, connect=60)
STAKES = (0, 100, 200, 200, 500)
TARGETS = (100, 200, 300)
ROUNDS = (1, 1, 2)
PURSE = 1_000_000
SMALL_PURSE = 600
WAIT_FOR_OTHERS = 8.0
#: How often a nuisance opens games only to leave them, before they look around.
FIDGETS = 0.3
#: What is counted when somebody has seen who won, by game.
PLAYED = {
    "schieber": "matches of Schieber seen to the end",
    "differenzler": "matches of Differenzler seen to the end",
}

# What one may be told in a lobby where others are quicker, and at a table that a stand-in drives.
IN_THE_LOBBY = {
    "ALREADY_SEATED",
    "GAME_FULL",
    "GAME_NOT_OPEN",
    "GAME_STARTED",
    "INSUFFICIENT_FUNDS",
    "NOT_SEATED",
    "RESERVATION_EXPIRED",
}
AT_THE_TABLE = {
    "ALREADY_AWAY",
    "ANNOUNCEMENT_ALREADY_MADE",
    "LEAD_PAUSE",
    "NOT_AWAY",
    "NOT_YOUR_TURN",
    "TABLE_ENDED",
}


def hidden(chance: random.Random) -> tuple[str, RuleSet]:
    """A Differenzler whose announcements nobody may know until the deal is scored."""
    preset = chance.choice(("differenzler-classic", "differenzler-swisslos"))
    return preset, RuleSet(rounds=chance.choice(ROUNDS), exact_bonus=chance.choice((0, 10)))


def open_to_all(chance: random.Random) -> tuple[str, RuleSet]:
    """A Differenzler whose announcements are made in turn."""
    return "differenzler-classic", RuleSet(
        rounds=chance.choice(ROUNDS),
        announcements=Announcements.ANNOUNCEMENTS_OPEN,
        tie_round_eligible=TieRoundEligible.TIE_ROUND_ELIGIBLE_TIED_ONLY,
    )


def schieber(chance: random.Random) -> tuple[str, RuleSet]:
    """A short Schieber."""
    return "schieber-classic", RuleSet(target=chance.choice(TARGETS))


def menu() -> Iterator[Callable[[random.Random], tuple[str, RuleSet]]]:
    """What the games that are opened one after the other are: every third one a Differenzler."""
    return cycle((hidden, schieber, schieber, open_to_all, schieber, schieber))


def taken(game: Game) -> int:
    """How many seats are."""
    return sum(bool(seat.player_id) for seat in game.seats)


class Person:
    """One player. `ending` is set when the storm is over: nobody sits down any more, all play to the end.

    A nuisance leaves tables and comes back, and opens games and leaves them, as fast as they are let.
    """

    def __init__(
        self,
        name: str,
        connect: Callable[[], Sequence[Jasshaus]],
        chance: random.Random,
        findings: Findings,
        chronicle: Chronicle,
        dishes: Iterator[Callable[[random.Random], tuple[str, RuleSet]]],
        ending: asyncio.Event,
        games: int,
        *,
        nuisance: bool = False,
    ) -> None:
        self.name = name
        self.doing = ""
        self._connect = connect
        self._chance = chance
        self._findings = findings
        self._chronicle = chronicle
        self._dishes = dishes
        self._ending = ending
        self._games = games
        self._nuisance = nuisance
        self._clients: Sequence[Jasshaus] = ()

    async def live(self) -> None:
        """Play game after game until the storm is over."""
        async with AsyncExitStack() as stack:
            self._clients = [await stack.enter_async_context(client) for client in self._connect()]
            while not self._ending.is_set():
                try:
                    game_id = await self._sit_down()
                    if game_id is not None:
                        await self._play(game_id)
                except JassError as error:
                    self._judge(error)
                except LookupError:
                    self._findings.count("game ended without a table")
                await asyncio.sleep(self._chance.uniform(0, 0.3))
            self.doing = "gone home"

    def _judge(self, error: JassError) -> None:
        """Whether somebody who did nothing wrong may be told this."""
        allowed = isinstance(error, Unavailable) or error.reason == "STALE_VERSION"
        allowed |= isinstance(error, Refused) and error.reason in IN_THE_LOBBY | AT_THE_TABLE
        # Redis forgot the attempt, the lobby gave it another seat, and the pot remembers the first.
        forgotten = error.reason in {"REQUEST_ID_REUSED", "SEAT_TAKEN"}
        allowed |= isinstance(error, Refused) and forgotten and self._findings.lossy
        # Who was cut off sits in games that they have forgotten, until they expire; who has no money is
        # made to wait.
        allowed |= isinstance(error, LimitReached) and error.reason in {"TOO_MANY_GAMES", "RATE_LIMITED"}
        allowed |= isinstance(error, NotFound) and self._findings.lossy
        self._findings.count(f"{error.reason or error.code.name}")
        if not allowed:
            self._findings.blame(f"{self.name}, {self.doing}: {error.code.name} {error}")

    async def _hasty(self, call: Callable[[], Awaitable[T]]) -> tuple[T, list[T]]:
        """Make a call, sometimes cut off after some ms or made twice at once.

        Returns the answer, and those of the doubles.
        """
        dice = self._chance.random()
        doubles: list[T] = []
        if dice < 0.12:
            self._findings.count("calls cut off")
            with suppress(TimeoutError, Unavailable):
                async with asyncio.timeout(self._chance.choice((0.002, 0.008, 0.02))):
                    await call()
        elif dice < 0.22:
            self._findings.count("calls doubled")
            answers = await asyncio.gather(call(), call(), return_exceptions=True)
            doubles = [each for each in answers if not isinstance(each, BaseException)]
        return await call(), doubles

    # In the lobby.

    async def _sit_down(self) -> str | None:
        lobby = self._clients[0].lobby
        if self._nuisance and self._chance.random() < FIDGETS:
            for _ in range(self._chance.randrange(2, 6)):
                await self._leave(await self._open())
                self._findings.count("games opened to be left")
        self.doing = "looking around"
        games = [
            game
            for game in (await lobby.list_open_games()).games
            if self.name not in {seat.player_id for seat in game.seats}
        ]
        if games and (len(games) >= self._games or self._chance.random() < 0.9):
            # The fullest first, as people do: else nobody ever plays.
            fullest = max(games, key=lambda game: (taken(game), self._chance.random()))
            game_id = fullest.game_id
            await self._join(game_id)
        else:
            game_id = await self._open()
        if self._chance.random() < 0.15:
            await self._leave(game_id)
            return None
        if self._chance.random() < 0.03:
            self._findings.count("people who never came")
            return None
        return game_id

    async def _open(self) -> str:
        self.doing = "opening a game"
        units = self._chance.choice(STAKES)
        stake = Amount(currency_code="CHF", minor_units=units) if units else None
        preset, overrides = next(self._dishes)(self._chance)
        request_id = str(uuid4())

        def call() -> Awaitable[Game]:
            return self._chance.choice(self._clients).lobby.open_game(
                preset, stake=stake, overrides=overrides, request_id=request_id
            )

        game, doubles = await self._hasty(call)
        if any(each.game_id != game.game_id for each in doubles):
            self._findings.blame(f"{self.name}: one OpenGame opened two games")
        return game.game_id

    async def _join(self, game_id: str) -> None:
        self.doing = f"joining {game_id}"
        request_id = str(uuid4())

        def call() -> Awaitable[JoinGameResponse]:
            return self._chance.choice(self._clients).lobby.join_game(game_id, request_id=request_id)

        joined, doubles = await self._hasty(call)
        if any(each.seat != joined.seat for each in doubles):
            self._findings.blame(f"{self.name}: one JoinGame took two seats of {game_id}")
        self._findings.count("joined")

    async def _leave(self, game_id: str) -> None:
        self.doing = f"leaving {game_id}"
        request_id = str(uuid4())

        def call() -> Awaitable[Game]:
            return self._chance.choice(self._clients).lobby.leave_game(game_id, request_id=request_id)

        await self._hasty(call)
        self._findings.count("left")

    # At the table.

    async def _play(self, game_id: str) -> None:
        self.doing = f"waiting for the table of {game_id}"
        try:
            async with asyncio.timeout(WAIT_FOR_OTHERS):
                table_id = await self._clients[0].lobby.wait_for_table(game_id)
        except TimeoutError:
            await self._leave(game_id)
            return
        self.doing = f"playing {game_id} at table {table_id}"
        self._chronicle.begun.append(table_id)
        try:
            if self._nuisance:
                view = await self._play_in_and_out(table_id)
            elif self._chance.random() < 0.5:
                view = await self._play_as_the_client_does(table_id)
            else:
                view = await self._play_nervously(table_id)
        except NotFound:
            if not self._findings.lossy and not await self._never_started(game_id):
                raise
            return
        self._chronicle.end(self.name, view)
        if view.status == TableStatus.TABLE_STATUS_FINISHED:
            self._findings.count(PLAYED["differenzler" if view.HasField("differenzler") else "schieber"])
        else:
            self._findings.count("voided matches seen to the end")

    async def _never_started(self, game_id: str) -> bool:
        """A game whose table was given up."""
        game = await self._clients[0].lobby.get_game(game_id)
        return game.status == GameStatus.GAME_STATUS_VOIDED

    async def _play_as_the_client_does(self, table_id: str) -> TableView:
        witness = self._witness(table_id)

        def look_and_choose(view: TableView) -> Action | None:
            witness.look_at(view)
            return self._choose(view)

        return await self._clients[0].table.play(table_id, look_and_choose, observe=witness.see)

    def _witness(self, table_id: str) -> Witness:
        return Witness(f"{self.name} at {table_id}", self._findings, self._chronicle)

    def _choose(self, view: TableView) -> Action | None:
        if view.legal_actions.leave and self._chance.random() < 0.005:
            self._findings.count("walked away")
            return actions.leave()
        return choose(view)

    async def _play_in_and_out(self, table_id: str) -> TableView:
        """Play nervously, and on another device leave and come back as fast as the table lets."""
        moving = asyncio.create_task(self._go_in_and_out(table_id))
        try:
            return await self._play_nervously(table_id)
        finally:
            moving.cancel()
            for error in await asyncio.gather(moving, return_exceptions=True):
                if isinstance(error, Exception):
                    self._findings.blame(f"{self.name}, in and out of {table_id}: {error!r}")

    async def _go_in_and_out(self, table_id: str) -> None:
        away = False
        while True:
            action = actions.come_back() if away else actions.leave()
            try:
                await self._clients[-1].table.act(table_id, action)
            except LimitReached as limit:
                self._judge(limit)
                await asyncio.sleep(limit.retry_after or 1.0)
            except (Refused, NotFound, Unavailable, Stale) as error:
                self._judge(error)
                if error.reason in {"TABLE_ENDED", "TABLE_NOT_FOUND"}:
                    return
                away = {"ALREADY_AWAY": True, "NOT_AWAY": False}.get(error.reason, away)
                await asyncio.sleep(0.05)
            else:
                self._findings.count("in and out of a table")
                away = not away

    async def _play_nervously(self, table_id: str) -> TableView:
        """Look now here, now there, taking up the thread; every action perhaps twice."""
        witness = self._witness(table_id)
        token = b""
        while True:
            client = self._chance.choice(self._clients)
            looks = self._chance.randrange(1, 40)
            async with aclosing(client.table.watch_table(table_id, resume_token=token)) as updates:
                async for update in updates:
                    witness.see(update)
                    if isinstance(update, WatchTableResponse.Replaced):
                        break
                    token = update.resume_token
                    if update.view.status in FINAL:
                        return update.view
                    await self._act_on(update.view, witness)
                    looks -= 1
                    if looks <= 0:
                        self._findings.count("threads taken up")
                        break

    async def _act_on(self, view: TableView, witness: Witness) -> None:
        while view.HasField("legal_actions"):
            witness.look_at(view)
            action = self._choose(view)
            if action is None:
                return
            # What others do at the same time makes nothing stale, but the own stand-in may have been faster.
            free = action.HasField("announce_points") and self._chance.random() < 0.3
            version = None if free else view.version
            call = partial(self._send, view.table_id, action, version, str(uuid4()))
            try:
                answer, doubles = await self._hasty(call)
            except Stale as stale:
                self._judge_stale(stale, view.table_id, version)
                if stale.view is None:
                    return
                view = stale.view
            except (Refused, NotFound, LimitReached) as error:
                self._judge(error)
                return
            else:
                self._findings.count("actions")
                if any(each.version != answer.version for each in doubles) and not self._findings.lossy:
                    self._findings.blame(f"{self.name} at {view.table_id}: one action led to two versions")
                view = answer.view

    def _judge_stale(self, stale: Stale, table_id: str, version: int | None) -> None:
        """No action is stale whose decision is still the one that was pending when it was chosen."""
        self._judge(stale)
        view = stale.view
        if view is None or version is None:
            return
        if view.HasField("decision_version") and view.decision_version <= version <= view.version:
            self._findings.blame(
                f"{self.name} at {table_id}: stale at {version}, though {view.decision_version} is pending"
                f" at {view.version}"
            )

    async def _send(self, table_id: str, action: Action, version: int | None, request_id: str) -> ActResponse:
        """Act by way of either replica."""
        table = self._chance.choice(self._clients).table
        return await table.act(table_id, action, expected_version=version, request_id=request_id)
