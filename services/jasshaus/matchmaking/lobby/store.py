"""The lobby in Redis: seats of open games. Each change is one script; it can be rebuilt."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, TypeVar
from uuid import UUID

from redis.asyncio import Redis
from redis.exceptions import RedisError

from jasshaus.matchmaking.domain import SEATS, Attempt, Game, GameView, Seat, SeatState, Status, Terms
from jasshaus.platform.primary import Primary

CHANNEL: Final = "jasshaus:lobby"
"""Changes: "<revision of the tenant's lobby> <game id> <tenant>"."""

_SCRIPTS: Final = (
    "spend",
    "create",
    "open",
    "reserve",
    "confirm",
    "leave",
    "evict",
    "free",
    "begin",
    "rewrite",
    "forget",
    "touch",
    "due",
)
"""One file each in lua/."""
_SEAT: Final = re.compile(r"([RHL])\|(\d+)\|([^|]+)\|(.*)", re.DOTALL)
_HEARTBEAT: Final = "jasshaus:heartbeat:lobby"
_HEARTBEAT_KEPT: Final = 60_000  # ms
_OPENING: Final = "open"
"""Counter key for stakes refused on opening."""
_MEMBER: Final = re.compile(r"\d{15}:[0-9a-f-]{36}")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reply:
    """A script's answer: a word with its arguments."""

    code: str
    rest: tuple[str, ...] = ()

    @property
    def seat(self) -> int:
        """The seat concerned."""
        return int(self.rest[0])

    @property
    def wait(self) -> float:
        """Of SPENT and COOLING: how many seconds."""
        return int(self.rest[0]) / 1000

    @property
    def left(self) -> int:
        """Of `free`: how many seats are still taken."""
        return int(self.rest[0])

    @property
    def held(self) -> int:
        """Of `confirm`: how many stakes are in."""
        return int(self.rest[1])


@dataclass(frozen=True, slots=True)
class Entry:
    """The lobby's entry for a game. `status`: OPENING, OPEN, STARTING or CLOSING."""

    status: str
    version: str
    seats: tuple[Seat, ...]

    @property
    def changed_at(self) -> int:
        """Orders the states of one game's entry: about the time of its last change, in milliseconds."""
        return int(self.version or 0)


@dataclass(frozen=True, slots=True)
class Budget:
    """Budget of a player's writes to the lobby: a burst, then one every `refill` seconds.

    Opening a game, leaving one, and a refused stake take one each. A leave is never refused: it may go into
    debt, and the next game opened or joined waits. `refill` 0 means no limit.
    """

    burst: int
    refill: float


class Lobby:
    """Games by id within a tenant. Lost connections raise redis-py's own errors."""

    def __init__(
        self, redis: Redis, primary: Primary, *, reservation_ttl: float, max_games: int, budget: Budget
    ) -> None:
        self.primary = primary
        self._redis = redis
        self._ttl = round(reservation_ttl * 1000)
        self._max_games = max_games
        self._burst = budget.burst
        self._refill = round(budget.refill * 1000)
        folder = files(__package__).joinpath("lua")
        prelude = folder.joinpath("prelude.lua").read_text()
        self._scripts = {
            name: redis.register_script(prelude + folder.joinpath(f"{name}.lua").read_text())
            for name in _SCRIPTS
        }

    # The steps of the saga, in order. `LOST` means that Redis has lost this tenant's lobby: restore it first.

    async def spend(self, attempt: Attempt, *, staked: bool) -> Reply:
        """Charge a player for opening a game before it exists; the same request is charged once.

        OK; TOO_MANY; BUSY: a stake being taken decides whether it is too many; SPENT or COOLING, with
        the ms to wait: the budget is used up, or a stake was refused too often.
        """
        keys = [
            *_keys(attempt.tenant, "-", attempt),
            *_of_player(attempt.tenant, attempt.player, _OPENING),
        ]
        arguments = (self._burst, self._refill, self._max_games, "staked" if staked else "free")
        values = [attempt.tenant, "-", *map(str, arguments)]
        code, *rest = await self._shielded(self._scripts["spend"](keys=keys, args=values))
        return Reply(code, tuple(map(str, rest)))

    async def create(self, terms: Terms, attempt: Attempt) -> Reply:
        """Create the entry with the opener's seat reserved: RESERVED, REUSED, GONE, BUSY, TOO_MANY, LOST."""
        arguments = (attempt.player, terms.opener_seat, attempt.id, attempt.digest)
        limits = (self._ttl, self._max_games, terms.order)
        keys = _of_player(terms.tenant, attempt.player, _OPENING)
        return await self._run("create", terms, attempt, *arguments, *limits, more=keys)

    async def open(self, terms: Terms) -> Reply:
        """Make the game visible: OPEN, NO_ENTRY."""
        return await self._run("open", terms)

    async def reserve(self, terms: Terms, attempt: Attempt, seat: int | None) -> Reply:
        """Reserve a seat, any for None.

        RESERVED or DONE with the seat, REFUSED with the reason, REUSED, NO_ENTRY, NOT_OPEN, ALREADY_SEATED,
        TAKEN, FULL, LOST; TOO_MANY, BUSY, SPENT, COOLING as `spend`.
        """
        arguments = (attempt.player, -1 if seat is None else seat, attempt.id, attempt.digest)
        limits = (self._ttl, self._max_games, self._burst, self._refill)
        keys = _of_player(terms.tenant, attempt.player, str(terms.game_id))
        return await self._run("reserve", terms, attempt, *arguments, *limits, more=keys)

    async def confirm(self, terms: Terms, attempt: Attempt) -> Reply:
        """Turn the reservation into a seat: HELD with seat and number of seats held, GONE, LOST."""
        more = [_key(terms.tenant, f"coming:{attempt.player}")]
        return await self._run("confirm", terms, attempt, attempt.id, more=more)

    async def leave(self, terms: Terms, attempt: Attempt) -> Reply:
        """Begin to leave: LEAVING (seat, reservation), DONE, NOT_SEATED, STARTED, NO_ENTRY, REUSED, LOST."""
        arguments = (attempt.player, attempt.digest, self._ttl, self._refill)
        more = [_key(terms.tenant, f"budget:{attempt.player}")]
        return await self._run("leave", terms, attempt, *arguments, more=more)

    async def evict(self, terms: Terms, reservation: UUID) -> Reply:
        """Begin to clear an expired seat: LEAVING, KEPT."""
        return await self._run("evict", terms, None, reservation, self._ttl)

    async def free(
        self,
        terms: Terms,
        player: str,
        reservation: UUID,
        attempt: Attempt | None = None,
        outcome: str = "",
        *,
        opening: bool = False,
    ) -> Reply:
        """Free the seat of a stake that was returned or never taken: FREED or GONE, with the seats left.

        `outcome` ("left", "refused:REASON") becomes the answer to the attempt's request. Refusals for
        insufficient funds are counted by game, those of `opening` by player, since the next game differs.
        """
        keys = _of_player(terms.tenant, player, _OPENING if opening else str(terms.game_id))
        return await self._run("free", terms, attempt, reservation, outcome, self._refill, more=keys)

    async def begin(self, terms: Terms) -> tuple[Seat, ...] | None:
        """Stop joining and leaving once four stakes are in; return the seats, None if they are not."""
        reply = await self._run("begin", terms)
        if reply.code != "STARTING":
            return None
        return tuple(read_seat(number, text) for number, text in zip(SEATS, reply.rest, strict=True))

    # Keeping it in line with rows and pots.

    async def rewrite(self, terms: Terms, before: Entry | None, status: str, seats: Iterable[Seat]) -> bool:
        """Replace the entry; False if it no longer equals `before`."""
        kept = {seat.seat: seat for seat in seats}
        staying = [seat.player for seat in kept.values()]
        gone = [seat.player for seat in (before.seats if before else ()) if seat.player not in staying]
        texts = [write_seat(kept[number]) if number in kept else "" for number in SEATS]
        arguments = (before.version if before else "", status, terms.order, *texts, len(staying))
        reply = await self._run("rewrite", terms, None, *arguments, players=[*staying, *gone])
        return reply.code == "WRITTEN"

    async def forget(self, game: Game) -> None:
        """Remove the entry of a game that left the lobby. While it is running, its players sit in it."""
        entry = await self.read(game.terms)
        holders = [hold.player for hold in game.holds]
        known = {*holders, game.terms.opener, *(seat.player for seat in (entry.seats if entry else ()))}
        staying = [] if game.status.over else holders
        players = [*staying, *sorted(known.difference(staying))]
        await self._run("forget", game.terms, None, game.terms.order, len(staying), players=players)

    async def touch(self, terms: Terms) -> None:
        """Notify watchers that the game's row has changed."""
        await self._run("touch", terms)

    async def claim_due(self, tenant: str, limit: int, lease: float) -> list[UUID]:
        """Return games whose entry is due, reserving them for `lease` seconds."""
        keys = [*_keys(tenant, "-", None)]
        reply = await self._shielded(
            self._scripts["due"](keys=keys, args=[tenant, "-", limit, round(lease * 1000), self._ttl])
        )
        return [UUID(game_id) for game_id in reply[1:]]

    # Reading.

    async def read(self, terms: Terms) -> Entry | None:
        """Return a game's entry."""
        return (await self.read_many(terms.tenant, [terms.game_id]))[terms.game_id]

    async def read_many(self, tenant: str, game_ids: Iterable[UUID]) -> dict[UUID, Entry | None]:
        """Return the entries of these games."""
        ids = list(game_ids)
        pipeline = self._redis.pipeline(transaction=False)
        for game_id in ids:
            pipeline.hgetall(_key(tenant, f"game:{game_id}"))
        stored = await self._shielded(pipeline.execute()) if ids else []
        return {game_id: _entry(fields) for game_id, fields in zip(ids, stored, strict=True)}

    async def open_games(self, tenant: str, after: str, limit: int) -> list[str]:
        """Return members of the index (`Terms.order`), newest first, after `after` ("": the newest)."""
        upper = f"({after}" if after else "+"
        index = _key(tenant, "games")
        members = await self._shielded(
            self._redis.zrange(index, upper, "-", desc=True, bylex=True, offset=0, num=limit)
        )
        return [str(member) for member in members]

    async def games_of(self, tenant: str, player: str) -> set[UUID]:
        """Return the games in which a player sits, or is about to."""
        return {UUID(game_id) for game_id in await self._shielded(self._members(tenant, player))}

    async def drop_membership(self, tenant: str, player: str, game_ids: Iterable[UUID]) -> None:
        """Record that a player does not sit in these games."""
        await self._shielded(self._redis.srem(_key(tenant, f"player:{player}"), *map(str, game_ids)))

    async def revision(self, tenant: str) -> int:
        """Return the revision of the tenant's lobby; each change increments it."""
        return int(await self._shielded(self._redis.get(_key(tenant, "rev"))) or 0)

    async def state(self, tenant: str) -> tuple[bool, int]:
        """Return `ready` and `revision` in one round trip."""
        found = await self._shielded(self._redis.mget(_key(tenant, "ready"), _key(tenant, "rev")))
        return found[0] is not None, int(found[1] or 0)

    async def ready(self, tenant: str) -> bool:
        """Whether the tenant's lobby exists, and was not lost with Redis's contents."""
        return bool(await self._shielded(self._redis.exists(_key(tenant, "ready"))))

    async def set_ready(self, tenant: str) -> None:
        """Record that the tenant's lobby is complete."""
        await self._shielded(self._redis.set(_key(tenant, "ready"), "1"))

    async def ping(self) -> None:
        """Raise unless Redis answers and accepts writes; follow its name if that has moved."""
        # Existing connections do not show where the name leads now.
        await self.primary.look()
        await self._shielded(self._redis.set(_HEARTBEAT, "1", px=_HEARTBEAT_KEPT))

    def _members(self, tenant: str, player: str) -> Awaitable[Any]:
        return self._redis.smembers(_key(tenant, f"player:{player}"))

    async def _run(
        self,
        script: str,
        terms: Terms,
        attempt: Attempt | None = None,
        *args: object,
        players: Iterable[str] = (),
        more: Iterable[str] = (),
    ) -> Reply:
        keys = [
            *_keys(terms.tenant, str(terms.game_id), attempt),
            *(_key(terms.tenant, f"player:{player}") for player in players),
            *more,
        ]
        values = [terms.tenant, str(terms.game_id), *(str(argument) for argument in args)]
        code, *rest = await self._shielded(self._scripts[script](keys=keys, args=values))
        return Reply(code, tuple(str(each) for each in rest))

    async def _shielded(self, command: Awaitable[T]) -> T:
        # A cancelled call could leave its connection one answer behind (redis-py #2624): let it finish.
        running = asyncio.ensure_future(self._heard(command, self.primary.epoch))
        running.add_done_callback(_taken_note_of)
        return await asyncio.shield(running)

    async def _heard(self, command: Awaitable[T], epoch: int) -> T:
        try:
            return await command
        except RedisError as error:
            self.primary.heard(error, epoch)
            raise


def _taken_note_of(running: asyncio.Future[Any]) -> None:
    # If the caller is gone, nobody else retrieves the error.
    if not running.cancelled():
        running.exception()


def member_id(member: str) -> UUID:
    """Return the game of a member of the index."""
    return UUID(member.partition(":")[2])


def is_member(text: str) -> bool:
    """Whether a text has the form of the index's members."""
    return _MEMBER.fullmatch(text) is not None


def view_of(game: Game, entry: Entry | None) -> GameView:
    """Return a game with its seats: from the lobby while it is open, from its row once it starts."""
    if game.status in {Status.OPENING, Status.OPEN}:
        return GameView(game, entry.seats, entry.changed_at) if entry else GameView(game, ())
    seats = (Seat(hold.seat, hold.player, hold.reservation, SeatState.HELD, 0) for hold in game.holds)
    return GameView(game, tuple(seats))


def _key(tenant: str, name: str) -> str:
    return f"{{lobby:{tenant}}}:{name}"


def _keys(tenant: str, game_id: str, attempt: Attempt | None) -> list[str]:
    request = f"request:{attempt.id}" if attempt else "request:-"
    return [_key(tenant, name) for name in ("ready", "rev", "games", "due", f"game:{game_id}", request)]


def _of_player(tenant: str, player: str, what: str) -> list[str]:
    """Return a player's keys: games, games whose stake is being taken, budget, stakes refused for `what`."""
    names = (f"player:{player}", f"coming:{player}", f"budget:{player}", f"cool:{what}:{player}")
    return [_key(tenant, name) for name in names]


def _entry(fields: dict[str, str]) -> Entry | None:
    if "status" not in fields:
        return None
    seats = (read_seat(number, fields[str(number)]) for number in SEATS if str(number) in fields)
    return Entry(fields["status"], fields.get("version", ""), tuple(seats))


def read_seat(number: int, text: str) -> Seat:
    """Return a seat of a lobby entry."""
    found = _SEAT.fullmatch(text)
    assert found is not None
    state, expires_at, reservation, player = found.groups()
    return Seat(number, player, UUID(reservation), SeatState(state), int(expires_at))


def write_seat(seat: Seat) -> str:
    """Return a seat as a lobby entry has it."""
    return f"{seat.state}|{seat.expires_at}|{seat.reservation}|{seat.player}"
