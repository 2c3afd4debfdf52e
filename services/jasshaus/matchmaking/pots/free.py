"""Seats of games without a stake, in PostgreSQL, under the same rules as a pot."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from jasshaus.matchmaking.domain import Hold, Match, Terms
from jasshaus.matchmaking.pots.port import Pot, PotState, RefundReason, Refused
from jasshaus.platform.postgres import Connection, Pool

_OPEN: Final = "INSERT INTO matchmaking.free_pot VALUES (%s, 'OPEN') ON CONFLICT DO NOTHING"
_LOCKED_ROW: Final = "SELECT state FROM matchmaking.free_pot WHERE pot_id = %s FOR UPDATE"
_HOLDS: Final = """
    SELECT seat, player, reservation_id FROM matchmaking.free_hold
    WHERE pot_id = %s AND state = 'HELD' ORDER BY seat
"""
_KNOWN: Final = "SELECT pot_id, seat, player, state FROM matchmaking.free_hold WHERE reservation_id = %s"
_RECORD: Final = """
    INSERT INTO matchmaking.free_hold (reservation_id, pot_id, seat, player, state)
    VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT (reservation_id) DO UPDATE SET state = excluded.state
"""
_RESTORE: Final = """
    INSERT INTO matchmaking.free_hold (reservation_id, pot_id, seat, player, state)
    VALUES (%s, %s, %s, %s, 'HELD')
    ON CONFLICT (reservation_id) DO UPDATE
    SET pot_id = excluded.pot_id, seat = excluded.seat, player = excluded.player, state = excluded.state
"""
_RECORD_OLD: Final = """
    INSERT INTO matchmaking.free_hold (reservation_id, pot_id, seat, player, state)
    VALUES (%s, %s, %s, %s, 'HELD')
    ON CONFLICT (reservation_id) DO UPDATE SET state = excluded.state
    WHERE free_hold.pot_id = excluded.pot_id
"""
_RELEASE_ALL: Final = (
    "UPDATE matchmaking.free_hold SET state = 'RELEASED' WHERE pot_id = %s AND state = 'HELD'"
)
_REFUSED: Final = "REFUSED:"


class FreePots:
    """Implements `Pots`; every operation is one transaction that locks the pot's row first."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def open(self, terms: Terms) -> Pot:
        """Open, or return it unchanged."""
        async with self._pool.connection() as connection:
            await connection.execute(_OPEN, (terms.game_id,))
        pot = await self.get(terms.game_id)
        assert pot is not None
        return pot

    async def hold(self, game_id: UUID, hold: Hold) -> None:
        """Take a seat; refusals are remembered by reservation, as the wallet does."""
        async with self._pool.connection() as connection, connection.transaction():
            state = await _locked(connection, game_id)
            known = await (await connection.execute(_KNOWN, (hold.reservation,))).fetchone()
            if known is None:
                outcome = _judge(state, await _holds(connection, game_id), hold)
                record = (hold.reservation, game_id, hold.seat, hold.player, outcome)
                await connection.execute(_RECORD, record)
            elif known[3] != "RELEASED" and known[:3] != (game_id, hold.seat, hold.player):
                raise Refused("RESERVATION_MISMATCH")
            else:
                outcome = known[3]
        if outcome == "RELEASED":
            raise Refused("RESERVATION_RELEASED")
        if outcome.startswith(_REFUSED):
            raise Refused(outcome.removeprefix(_REFUSED))

    async def release(self, game_id: UUID, reservation: UUID) -> None:
        """Give up the seat; an unknown reservation is closed for good."""
        async with self._pool.connection() as connection, connection.transaction():
            state = await _locked(connection, game_id)
            known = await (await connection.execute(_KNOWN, (reservation,))).fetchone()
            if known is not None and known[3] == "HELD" and state != PotState.OPEN:
                raise Refused("POT_NOT_OPEN", pot=Pot(state, await _holds(connection, game_id)))
            if known is None or known[3] == "HELD":
                await connection.execute(_RECORD, (reservation, game_id, -1, "", "RELEASED"))

    async def lock(self, terms: Terms, match: Match) -> None:
        """Lock for exactly these four; the table is recorded in the game's row."""
        async with self._pool.connection() as connection, connection.transaction():
            state = await _locked(connection, terms.game_id)
            pot = Pot(state, await _holds(connection, terms.game_id))
            if state is PotState.REFUNDED:
                raise Refused("POT_NOT_OPEN", pot=pot)
            if pot.holds != match.holds:
                raise Refused("HOLDS_DIFFER", pot=pot)
            await _move(connection, terms.game_id, PotState.LOCKED)

    async def refund(self, game_id: UUID, reason: RefundReason, match: Match | None = None) -> None:  # noqa: ARG002 - no statement names it
        """Give every seat up for good."""
        async with self._pool.connection() as connection, connection.transaction():
            state = await _locked(connection, game_id)
            if match is None and state is PotState.LOCKED:
                raise Refused("POT_NOT_OPEN", pot=Pot(state, await _holds(connection, game_id)))
            await connection.execute(_RELEASE_ALL, (game_id,))
            await _move(connection, game_id, PotState.REFUNDED)

    async def restore(self, game_id: UUID, holds: tuple[Hold, ...], *, over: bool) -> None:
        """Lock the seats of a game that is played by exactly these four, or was if it is `over`.

        A reservation that has been used for another game since then stays there.
        """
        restore = _RECORD_OLD if over else _RESTORE
        async with self._pool.connection() as connection, connection.transaction():
            await connection.execute(_OPEN, (game_id,))
            await _locked(connection, game_id)
            await connection.execute(_RELEASE_ALL, (game_id,))
            for hold in holds:
                await connection.execute(restore, (hold.reservation, game_id, hold.seat, hold.player))
            await _move(connection, game_id, PotState.LOCKED)

    async def get(self, game_id: UUID) -> Pot | None:
        """Return the pot, None for an unknown one."""
        async with self._pool.connection() as connection, connection.transaction():
            found = "SELECT state FROM matchmaking.free_pot WHERE pot_id = %s"
            row = await (await connection.execute(found, (game_id,))).fetchone()
            return None if row is None else Pot(PotState(row[0]), await _holds(connection, game_id))


async def _locked(connection: Connection, game_id: UUID) -> PotState:
    row = await (await connection.execute(_LOCKED_ROW, (game_id,))).fetchone()
    if row is None:
        raise Refused("POT_NOT_FOUND")
    return PotState(row[0])


async def _holds(connection: Connection, game_id: UUID) -> tuple[Hold, ...]:
    return tuple(Hold(*row) for row in await (await connection.execute(_HOLDS, (game_id,))).fetchall())


async def _move(connection: Connection, game_id: UUID, state: PotState) -> None:
    await connection.execute(
        "UPDATE matchmaking.free_pot SET state = %s WHERE pot_id = %s", (str(state), game_id)
    )


def _judge(state: PotState, holds: tuple[Hold, ...], wanted: Hold) -> str:
    if state is not PotState.OPEN:
        return f"{_REFUSED}POT_NOT_OPEN"
    if any(hold.player == wanted.player for hold in holds):
        return f"{_REFUSED}PLAYER_ALREADY_HOLDS"
    if any(hold.seat == wanted.seat for hold in holds):
        return f"{_REFUSED}SEAT_TAKEN"
    return "HELD"
