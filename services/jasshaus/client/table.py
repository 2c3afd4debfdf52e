"""Calls to the table service; follows and plays a table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Final
from uuid import uuid4

import grpc

from jasshaus.api.common.v1.card_pb2 import Deck
from jasshaus.api.table.v1.table_pb2 import (
    AbortTableRequest,
    Action,
    ActRequest,
    ActResponse,
    GetTableRequest,
    TableStatus,
    TableView,
    WatchTableRequest,
    WatchTableResponse,
)
from jasshaus.api.table.v1.table_pb2_grpc import TableServiceStub
from jasshaus.client.connection import Connection
from jasshaus.client.errors import InvalidArgument, Refused, Replaced, Stale
from jasshaus.client.streams import follow

#: What a followed table yields.
Update = WatchTableResponse.Snapshot | WatchTableResponse.Delta | WatchTableResponse.Replaced

#: A player: returns the action on a view, or None for none. Called whenever the view has legal actions.
Choose = Callable[[TableView], Action | None]

_FINAL: Final = (TableStatus.TABLE_STATUS_FINISHED, TableStatus.TABLE_STATUS_VOIDED)
_OVERTAKEN: Final = ("NOT_YOUR_TURN", "TABLE_ENDED")


class TableCalls:
    """A table: read it, act, follow it, play it to the end."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._stub = TableServiceStub(connection.channel)

    async def get_table(self, table_id: str) -> TableView:
        """Return the caller's view of the table."""
        return (await self._connection.call(self._stub.GetTable, GetTableRequest(table_id=table_id))).view

    async def get_rules(
        self, table_id: str, language_code: str, deck: Deck.ValueType = Deck.DECK_SWISS
    ) -> tuple[str, ...]:
        """Return the table's rules in everyday words, one sentence per option."""
        request = GetTableRequest(table_id=table_id, language_code=language_code, deck=deck)
        return tuple((await self._connection.call(self._stub.GetTable, request)).rules_in_words)

    async def act(
        self,
        table_id: str,
        action: Action,
        *,
        expected_version: int | None = None,
        request_id: str | None = None,
    ) -> ActResponse:
        """Send one action (see `jasshaus.client.actions`).

        With `expected_version`, the version of the view it was chosen on, the action only counts for the
        decision (or the pause) shown in that view; otherwise Stale is raised, with the new view. What
        others do meanwhile does not matter. `leave` may be refused with LimitReached; `come_back` never is.
        """
        request = ActRequest(
            table_id=table_id,
            request_id=request_id or str(uuid4()),
            expected_version=expected_version,
            action=action,
        )
        return await self._connection.call(self._stub.Act, request)

    async def abort_table(self, table_id: str, reason: str) -> TableView | None:
        """End a match and refund the stakes (operators); None if an id without a table was fenced."""
        request = AbortTableRequest(table_id=table_id, reason=reason)
        response = await self._connection.call(self._stub.AbortTable, request)
        return response.view if response.HasField("view") else None

    async def watch_table(
        self, table_id: str, *, device_id: str = "", resume_token: bytes = b""
    ) -> AsyncGenerator[Update, None]:
        """Yield a table's Snapshots and Deltas until it is closed, reconnecting without missing anything.

        A Snapshot replaces everything known. Ends after the view whose status is FINISHED or VOIDED, or after
        a Replaced, the one message without a view. Raises JassError: a refusal at once, Unavailable
        after `patience.stream` without an answer.
        """
        token = resume_token

        def request() -> WatchTableRequest:
            return WatchTableRequest(table_id=table_id, device_id=device_id, resume_token=token)

        while True:
            try:
                async with aclosing(follow(self._connection, self._stub.WatchTable, request)) as messages:
                    async for message in messages:
                        if message.HasField("replaced"):
                            yield message.replaced
                            return
                        update = message.snapshot if message.HasField("snapshot") else message.delta
                        token = update.resume_token
                        yield update
                        if update.view.status in _FINAL:
                            return
            except InvalidArgument as error:
                if error.reason != "INVALID_RESUME_TOKEN" or not token:
                    raise
                token = b""

    async def play(
        self,
        table_id: str,
        choose: Choose,
        *,
        device_id: str = "",
        observe: Callable[[Update], Awaitable[None] | None] | None = None,
    ) -> TableView:
        """Play a seat to the end of the match; return the last view.

        `choose` is called on each new view with legal actions, and again on the newer view if the
        table has moved on meanwhile. `observe` gets every update before it is acted on. Raises JassError,
        Replaced if the same device plays elsewhere, and Refused if `choose` returns an illegal
        action.
        """
        acted_on: TableView | None = None
        async with aclosing(self.watch_table(table_id, device_id=device_id)) as updates:
            async for update in updates:
                if observe is not None:
                    waiting = observe(update)
                    if waiting is not None:
                        await waiting
                if isinstance(update, WatchTableResponse.Replaced):
                    raise Replaced(grpc.StatusCode.ABORTED, "", "the same device is playing elsewhere")
                view = update.view
                if view.status in _FINAL:
                    return view
                reset = isinstance(update, WatchTableResponse.Snapshot) and update.reset
                if acted_on is None or reset or is_newer(view, acted_on):
                    acted_on = await self._act_while_asked(table_id, view, choose)
        raise AssertionError("a followed table ends with its last view")

    async def _act_while_asked(self, table_id: str, view: TableView, choose: Choose) -> TableView:
        """Act on the view, and on those the actions lead to; return the latest one."""
        while view.HasField("legal_actions"):
            action = choose(view)
            if action is None:
                break
            if action.HasField("play_card") and view.clock.HasField("lead_after"):
                await asyncio.sleep(_seconds_until_lead(view))
            try:
                view = (await self.act(table_id, action, expected_version=view.version)).view
            except Stale as stale:
                if stale.view is None:
                    view = await self.get_table(table_id)
                else:
                    view = stale.view
            except Refused as refusal:
                view = await self._after_refusal(table_id, view, refusal)
        return view

    async def _after_refusal(self, table_id: str, view: TableView, refusal: Refused) -> TableView:
        """Return a newer view to choose on; raise the refusal if there is none: the action was wrong."""
        if refusal.reason == "LEAD_PAUSE" and refusal.retry_after is not None:
            await asyncio.sleep(refusal.retry_after)
            return await self.get_table(table_id)
        now = await self.get_table(table_id)
        if refusal.reason not in _OVERTAKEN or now.version <= view.version:
            raise refusal
        return now


def is_newer(view: TableView, other: TableView) -> bool:
    """Whether a view shows a later state of the table; both must be of one history (no `reset` between)."""
    if not view.revision or not other.revision:
        # A view of a replica of the previous release, which has no revision.
        return view.version > other.version
    return view.revision > other.revision


def _seconds_until_lead(view: TableView) -> float:
    """Return the length of the pause after the trick by the store's clock; the local clock may be wrong."""
    pause = view.clock.lead_after.ToMicroseconds() - view.clock.server_time.ToMicroseconds()
    return max(0.0, pause / 1_000_000)
