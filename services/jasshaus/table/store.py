"""The store of tables in Redis: each operation is one script and one round trip, all or nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final
from uuid import UUID

from google.protobuf.message import DecodeError
from redis.exceptions import NoScriptError, ResponseError

from jasshaus.table.decide import Asked
from jasshaus.table.history import FENCED_ETAG
from jasshaus.table.keys import IDLE, Lane, Names
from jasshaus.table.metrics import TableMetrics
from jasshaus.table.operations import (
    Commit,
    Due,
    DueTimer,
    Early,
    Known,
    Limited,
    Mark,
    Marked,
    Marking,
    Moved,
    Over,
    Remembered,
    RequestEntry,
    Result,
    Reused,
    Same,
    Stored,
    Written,
)
from jasshaus.table.redis_connection import Argument, RedisConnection
from jasshaus.table.replies import (
    asked_argument,
    presence_argument,
    read_due_timer,
    read_stored,
    read_times,
    timer_argument,
)
from jasshaus.table.result import TIME_BYTES, MatchResult, decode_result, encode_result
from jasshaus.table.table import Presences

__all__ = [
    "BUNDLES_KEPT",
    "LANE_GAP",
    "LEAVES_AT_ONCE",
    "LEAVE_EVERY",
    "RESTORE_WINDOW",
    "Commit",
    "Due",
    "DueTimer",
    "Early",
    "Known",
    "Limited",
    "Mark",
    "Marked",
    "Marking",
    "Moved",
    "Over",
    "Remembered",
    "RequestEntry",
    "Result",
    "Reused",
    "Same",
    "Script",
    "Store",
    "Stored",
    "Written",
]

BUNDLES_KEPT: Final = 256
LANE_GAP: Final = 5_000
"""A lane nobody looked at for longer (milliseconds) was down, or its clock was set: its timers shift."""

LEAVES_AT_ONCE: Final = 5
LEAVE_EVERY: Final = 30_000
"""How often a seat may leave: so many times in a row, then once in so many milliseconds."""

_HEARTBEAT: Final = "jasshaus:heartbeat:table"
_HEARTBEAT_KEPT: Final = 60_000  # ms
_FENCE_KEPT: Final = 30 * 86_400_000  # ms; ids are never used again, but a request may be late
RESTORE_WINDOW: Final = 14 * 86_400_000
"""How long a result record is kept by default (milliseconds)."""

_SCRIPTS: Final = files("jasshaus.table") / "scripts"


class Script:
    """A script by its digest, known to Redis or loaded into it when it is not."""

    def __init__(self, redis: RedisConnection, name: str, metrics: TableMetrics) -> None:
        self._redis = redis
        self._seconds = metrics.store_seconds.labels(name)
        self._source = (_SCRIPTS / "lane.lua").read_text() + (_SCRIPTS / f"{name}.lua").read_text()
        self._digest: str | None = None

    async def __call__(self, keys: Sequence[str], *arguments: Argument) -> Any:
        """Run the script. Raises StoreAwayError."""
        for _ in range(3):
            if self._digest is None:
                self._digest = (await self._redis.call("SCRIPT", "LOAD", self._source)).decode()
            started = time.perf_counter()
            try:
                return await self._redis.call("EVALSHA", self._digest, len(keys), *keys, *arguments)
            except NoScriptError:
                # A restarted Redis has forgotten it; it has not run.
                self._digest = None
            finally:
                self._seconds.observe(time.perf_counter() - started)
        raise ResponseError("Redis does not keep scripts")


class Store:
    """The tables in Redis."""

    def __init__(
        self,
        redis: RedisConnection,
        names: Names,
        metrics: TableMetrics,
        restore_window: int = RESTORE_WINDOW,
    ) -> None:
        self.names = names
        self._restore_window = restore_window
        self._redis = redis
        self._load = Script(redis, "load", metrics)
        self._commit = Script(redis, "commit", metrics)
        self._look = Script(redis, "look", metrics)
        self._defer = Script(redis, "defer", metrics)
        self._fence = Script(redis, "fence", metrics)
        self._attend = Script(redis, "attend", metrics)
        self._announce = Script(redis, "announce", metrics)
        self._presence = Script(redis, "presence", metrics)

    async def ping(self) -> None:
        """Raise StoreAwayError unless Redis answers and takes writes; follow its name where that moved."""
        # The connection at hand says nothing of where the name leads by now.
        await self._redis.primary.look()
        await self._redis.call("SET", _HEARTBEAT, "1", "PX", _HEARTBEAT_KEPT)

    async def load(
        self, table_id: UUID, *, known: bytes = b"", requests: bool = False, since: int | None = None
    ) -> Stored:
        """Read a table: record, timers, clock at one moment.

        `known` is an etag whose record need not be sent, `requests` asks for the remembered requests, `since`
        for the event bundles from that version on (its own included, as far as they are kept).
        """
        keys = self.names.of(table_id)
        reply, bundles = await self._load(
            [keys.table, keys.events, keys.lane.timers, keys.lane.shifts],
            str(table_id),
            known,
            "1" if requests else "0",
            "" if since is None else since,
        )
        return read_stored(reply, tuple(bundles))

    async def commit(self, commit: Commit) -> Result:
        """Write a change, if the table is still as expected and the request is new."""
        # A caller that is cancelled must not leave a commit half known: it runs to its end.
        running = asyncio.ensure_future(self._run_commit(commit))
        running.add_done_callback(_taken_note_of)
        return await asyncio.shield(running)

    async def _run_commit(self, commit: Commit) -> Result:
        keys = self.names.of(commit.table_id)
        request = commit.request
        lane = keys.lane
        answer = await self._commit(
            [
                keys.table,
                keys.events,
                lane.timers,
                lane.outbox,
                lane.seen,
                keys.channel,
                lane.shifts,
                keys.result,
                lane.results,
            ],
            str(commit.table_id),
            commit.expected,
            commit.etag,
            commit.record,
            commit.bundle,
            "" if request is None else request.seat,
            b"" if request is None else request.request_id,
            b"" if request is None else request.body,
            "1" if commit.gated else "0",
            "" if commit.lead_pause is None else commit.lead_pause,
            *(timer_argument(each) for each in commit.seats),
            timer_argument(commit.idle),
            "+" if commit.settle else "-" if commit.keep is not None else "",
            "" if commit.keep is None else commit.keep,
            BUNDLES_KEPT,
            LANE_GAP,
            asked_argument(commit.asked),
            "" if commit.seat is None else f"{'t' if commit.stand_in else 'a'}{commit.seat}",
            commit.away_after,
            presence_argument(commit.presence),
            b"" if commit.result is None else commit.result,
            self._restore_window,
        )
        match answer:
            case [b"ok", reply]:
                return Written(read_times(reply))
            case [b"known", version]:
                return Known(int.from_bytes(version, "big"))
            case [b"reused"]:
                return Reused()
            case [b"moved", reply]:
                return Moved(read_stored(reply, ()))
            case [b"early", wait]:
                return Early(int(wait))
            case _:
                # Not what it says: that may be a record, with hands in it.
                raise AssertionError(f"commit.lua answered a {type(answer).__name__}")

    async def mark(self, mark: Mark) -> Marking:
        """Write that a seat has left or is back, whatever its table's match does meanwhile."""
        running = asyncio.ensure_future(self._run_mark(mark))
        running.add_done_callback(_taken_note_of)
        return await asyncio.shield(running)

    async def _run_mark(self, mark: Mark) -> Marking:  # noqa: PLR0911 - one case an answer
        keys = self.names.of(mark.table_id)
        lane = keys.lane
        answer = await self._presence(
            [keys.table, lane.timers, lane.seen, keys.channel, lane.shifts, lane.outbox],
            str(mark.table_id),
            mark.request.seat,
            mark.request.request_id,
            mark.request.body,
            "1" if mark.away else "0",
            mark.etag,
            asked_argument(mark.asked),
            presence_argument(mark.presence),
            LANE_GAP,
            LEAVES_AT_ONCE,
            LEAVE_EVERY,
        )
        match answer:
            case [b"ok", reply]:
                return Marked(read_stored(reply, ()))
            case [b"known", version]:
                return Known(int.from_bytes(version, "big"))
            case [b"reused"]:
                return Reused()
            case [b"over"]:
                return Over()
            case [b"same"]:
                return Same()
            case [b"limited", wait]:
                return Limited(int(wait))
            case [b"moved", reply]:
                return Moved(read_stored(reply, ()))
            case _:
                raise AssertionError(f"presence.lua answered a {type(answer).__name__}")

    async def look(self, lane: Lane, limit: int) -> Due:
        """Return what is due in a lane, after shifting its timers if it was down."""
        _, timers, outbox = await self._look(
            [lane.timers, lane.outbox, lane.seen, lane.shifts], LANE_GAP, limit
        )
        pairs = zip(timers[::2], timers[1::2], strict=True)
        return Due(
            tuple(read_due_timer(member.decode(), score.decode()) for member, score in pairs),
            tuple(UUID(member.decode()) for member in outbox),
        )

    async def defer(self, due: DueTimer, delay: int | None) -> None:
        """Put a timer off by `delay` milliseconds from now, or remove it (None), unless it was set since."""
        keys = self.names.of(due.table_id)
        needed = [keys.lane.timers, keys.table, keys.channel]
        await self._defer(needed, due.member, due.score, "" if delay is None else delay)

    async def fence(self, table_id: UUID) -> bool:
        """Make sure a table that is not there will not be for a month; False when it is there."""
        return bool(await self._fence([self.names.of(table_id).table], FENCED_ETAG, _FENCE_KEPT))

    async def attend(
        self, table_id: UUID, etag: bytes, idle: int | None, asked: Asked, presence: Presences
    ) -> int:
        """Give a table its idle timer and those of its seats, or its place in the outbox (idle: None).

        Only where there are none; in milliseconds from now. Returns how many were missing; 0, too, when the
        etag is another now.
        """
        keys = self.names.of(table_id)
        needed = [keys.table, keys.lane.timers, keys.lane.outbox]
        idle_in = "" if idle is None else idle
        arguments = (str(table_id), etag, idle_in, asked_argument(asked), presence_argument(presence))
        return int(await self._attend(needed, *arguments))

    async def result(self, table_id: UUID) -> MatchResult | None:
        """Return what is kept of a match that is over, None when nothing is. Raises StoreAwayError."""
        stored = await self._redis.call("GET", self.names.of(table_id).result)
        return decode_result(stored) if stored else None

    async def results(self, table_ids: Sequence[UUID]) -> list[MatchResult | None]:
        """Return the results of tables of one lane; None where none is kept, or it cannot be read.

        Raises StoreAwayError.
        """
        stored = await self._redis.call("MGET", *(self.names.of(each).result for each in table_ids))
        return [_readable(each) for each in stored]

    async def amend_result(self, result: MatchResult) -> None:
        """Replace a result record that is still there; it is kept no longer. Raises StoreAwayError."""
        stored = result.ended_at.to_bytes(TIME_BYTES, "big") + encode_result(result)
        await self._redis.call("SET", self.names.of(result.table_id).result, stored, "XX", "KEEPTTL")

    async def living(self, lane: Lane) -> list[UUID]:
        """List a lane's tables that are being played, or settled. Raises StoreAwayError."""
        timers = await self._redis.call("ZRANGE", lane.timers, 0, -1)
        settling = await self._redis.call("ZRANGE", lane.outbox, 0, -1)
        idle = f":{IDLE}".encode()
        playing = [member.removesuffix(idle) for member in timers if member.endswith(idle)]
        return [UUID(member.decode()) for member in dict.fromkeys([*playing, *settling])]

    async def ended(self, lane: Lane, within: int | None = None) -> list[UUID]:
        """List a lane's tables of which a result record is kept, the newest first. Raises StoreAwayError.

        With `within` only those whose match ended in the last so many milliseconds.
        """
        seconds, _ = await self._redis.call("TIME")
        kept_until = int(seconds) * 1000 + (0 if within is None else self._restore_window - within)
        found = await self._redis.call("ZRANGE", lane.results, "+inf", kept_until, "BYSCORE", "REV")
        return [UUID(member.decode()) for member in found]

    async def announce(self, table_id: UUID, stream: bytes) -> int:
        """Tell all replicas of a new stream at a table; return its stamp, higher for later streams."""
        keys = self.names.of(table_id)
        return int(await self._announce([keys.channel, keys.lane.stamps], stream))


def _readable(stored: bytes | None) -> MatchResult | None:
    try:
        return decode_result(stored) if stored else None
    except (DecodeError, ValueError):
        return None


def _taken_note_of(running: asyncio.Future[Any]) -> None:
    # Where the caller is gone, nobody else asks for the error.
    if not running.cancelled():
        running.exception()
