"""The ledger's operations: arguments, answers and refusals.

Decisions are made in SQL, under the locks and in the transaction that writes (functions/).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, assert_never
from uuid import UUID

import structlog
from psycopg.types.json import Jsonb

from jasshaus.wallet.metrics import WalletMetrics
from jasshaus.wallet.records import (
    Aborted,
    Balance,
    Ended,
    Entry,
    FeeSchedule,
    FeeTerms,
    Hold,
    Known,
    Movement,
    Operator,
    OperatorAct,
    Playing,
    Position,
    Pot,
    Quote,
    Recovery,
    Seat,
    TrialBalance,
    Watched,
    Won,
)
from jasshaus.wallet.store import Answer, Store

REFUSALS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "BALANCE_LIMIT": "the balance would exceed the maximum",
        "BALANCE_TOO_LOW": "the player's balance is too low",
        "HOLDS_DIFFER": "the stakes in the pot are not the ones named",
        "INSUFFICIENT_FUNDS": "the player's balance does not cover the stake",
        "OWN_TABLE": "the caller has a stake in the pot",
        "PLAYER_ALREADY_HOLDS": "the player already has a stake in this pot",
        "POT_CONFLICT": "the pot exists with other terms",
        "POT_NOT_FOUND": "no such pot",
        "POT_NOT_LOCKED": "the pot is not locked",
        "POT_NOT_OPEN": "the pot is locked or over",
        "POT_REFUNDED": "the pot has been refunded",
        "POT_SETTLED": "the pot has already been paid out",
        "RECOVERY_NOT_CURRENT": "another recovery has begun since",
        "REFERENCE_USED": "the reference was already used for an entry of this kind",
        "REQUEST_ID_REUSED": "the request id was already used with a different body",
        "RESERVATION_MISMATCH": "the reservation belongs to another seat, player or pot",
        "RESERVATION_RELEASED": "the reservation was released: a new attempt needs a new one",
        "SCHEDULE_TOO_EARLY": "the schedule would start in the past, or before another version",
        "SEAT_TAKEN": "another stake is held for the seat",
        "SETTLEMENT_CONFLICT": "the pot was settled with a different result",
        "TABLE_MISMATCH": "the pot is another table's, or its stakes are not those of the table's seats",
    }
)
"""Reasons for refusing an operation, each with a sentence for people."""

STAKES_MISSING: Final = "STAKES_MISSING"

# Refused because a caller has a wrong idea of a match: money would have gone to the wrong players.
_ALARMS: Final = frozenset({"SETTLEMENT_CONFLICT", "TABLE_MISMATCH"})

log = structlog.stdlib.get_logger(__name__)


class Refused(Exception):  # noqa: N818 - an answer, not an error
    """The ledger refuses; nothing moved.

    `pot` is the current pot, `journal_id` the conflicting journal, if they explain the refusal.
    """

    def __init__(self, reason: str, pot: Pot | None = None, journal_id: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.pot = pot
        self.journal_id = journal_id


class Ledger:
    """The operations. Each may raise Refused, or Fault STORE_UNAVAILABLE: retry with the same ids."""

    def __init__(self, store: Store, metrics: WalletMetrics) -> None:
        self._store = store
        self._metrics = metrics

    async def ensure_fee_schedule(self, fee_bps: int, fee_min: int, fee_max: int | None) -> int:
        """Set the initial terms for tenants without their own, in a database without any.

        Returns the latest version.
        """
        answer = await self._ask("ensure_fee_schedule", fee_bps, fee_min, fee_max)
        return int(answer["version"])

    async def quote_pots(self, tenant: str, stakes: Sequence[tuple[str, int]]) -> list[Quote]:
        """Return a quote for each (currency, stake) under the tenant's current schedule."""
        currencies, amounts = [each[0] for each in stakes], [each[1] for each in stakes]
        answer = await self._ask("quote_pots", tenant, currencies, amounts)
        return [Quote.read(each) for each in answer["quotes"]]

    async def open_pot(self, pot_id: UUID, tenant: str, currency: str, stake: int) -> Pot:
        """Open a pot, or find it with the same terms. Refused: POT_CONFLICT."""
        return Pot.read((await self._ask("open_pot", pot_id, tenant, currency, stake))["pot"])

    async def hold_stake(self, pot_id: UUID, reservation_id: UUID, seat: int, player: str) -> Hold:
        """Move a player's stake into the pot.

        Refused, now and whenever this reservation is tried again: POT_NOT_OPEN, PLAYER_ALREADY_HOLDS,
        SEAT_TAKEN, INSUFFICIENT_FUNDS, RESERVATION_RELEASED; also RESERVATION_MISMATCH, POT_NOT_FOUND.
        """
        return Hold.read((await self._ask("hold_stake", pot_id, reservation_id, seat, player))["hold"])

    async def release_stake(self, pot_id: UUID, reservation_id: UUID) -> bool:
        """Return a stake; report whether it was ever held.

        Refused: POT_NOT_OPEN (and still held), RESERVATION_MISMATCH, POT_NOT_FOUND.
        """
        return bool((await self._ask("release_stake", pot_id, reservation_id))["released"])

    async def lock_pot(self, pot_id: UUID, holds: Sequence[Hold], table_id: UUID | None, caller: str) -> Pot:
        """Lock the pot for exactly these holds and a table; None from a caller that does not name it.

        Refused: HOLDS_DIFFER, POT_NOT_OPEN, TABLE_MISMATCH, OWN_TABLE, POT_NOT_FOUND.
        """
        named = Jsonb([hold.row() for hold in holds])
        return Pot.read((await self._ask("lock_pot", pot_id, named, table_id, caller))["pot"])

    async def settle_pot(
        self, pot_id: UUID, won: Won, table_id: UUID, seats: Sequence[Seat], caller: str
    ) -> Pot:
        """Pay the winners of a table's match.

        Refused: POT_NOT_LOCKED, TABLE_MISMATCH, POT_REFUNDED, SETTLEMENT_CONFLICT, OWN_TABLE, POT_NOT_FOUND.
        """
        result = list(won.winning_seats), won.result_digest
        answer = await self._ask("settle_pot", pot_id, *result, table_id, _rows(seats), caller)
        return Pot.read(answer["pot"])

    async def refund_pot(
        self, pot_id: UUID, reason: str, table_id: UUID | None, seats: Sequence[Seat], caller: str
    ) -> Pot:
        """Refund all stakes; those of a locked pot in the name of its table.

        Refused: POT_SETTLED, POT_NOT_OPEN (locked, and no table or GAME_CLOSED), TABLE_MISMATCH, OWN_TABLE,
        POT_NOT_FOUND.
        """
        answer = await self._ask("refund_pot", pot_id, reason, table_id, _rows(seats), caller)
        return Pot.read(answer["pot"])

    async def reconcile_pot(
        self, pot_id: UUID, table_id: UUID, seats: Sequence[Seat], known: Known, caller: str
    ) -> tuple[Pot, bool]:
        """Bring a pot in line with its table; return it, and whether anything was changed.

        Refused: TABLE_MISMATCH, SETTLEMENT_CONFLICT, POT_SETTLED, POT_REFUNDED, OWN_TABLE, POT_NOT_FOUND.
        """
        answer = await self._ask("reconcile_pot", pot_id, table_id, _rows(seats), *_fact(known), caller)
        pot = Pot.read(answer["pot"])
        if answer["repaired"]:
            self._metrics.reconciled.labels(pot.state.lower()).inc()
            level = log.error if pot.refund_reason == STAKES_MISSING else log.warning
            level("pot_put_in_order", pot_id=str(pot_id), table_id=str(table_id), state=pot.state)
        return pot, answer["repaired"]

    async def check_pots(self, ended: Sequence[Ended]) -> list[UUID]:
        """Return the pots that are unknown, not over, another table's, or ended differently, as given."""
        answer = await self._ask("check_pots", Jsonb([each.row() for each in ended]))
        return [UUID(each) for each in answer["pots"]]

    async def list_pots(
        self,
        states: Sequence[str],
        tenant: str,
        *,
        opened_before_us: int | None,
        after: tuple[int, UUID] | None,
        limit: int,
    ) -> list[Pot]:
        """Return pots, oldest first, starting after (opening time in microseconds since 1970, id).

        No states or an empty tenant means all.
        """
        place = after or (None, None)
        answer = await self._ask("list_pots", list(states), tenant, opened_before_us, *place, limit)
        return [Pot.read(each) for each in answer["pots"]]

    async def check(self, seen: Position | None) -> tuple[Position, Recovery | None]:
        """Return the ledger's position and the running recovery.

        A seen position that the ledger has not reached begins one.
        """
        asked = (None, None) if seen is None else (seen.lineage, seen.flushed)
        return _standing(await self._ask("check_ledger", *asked))

    async def stand(self) -> tuple[Position, Recovery | None]:
        """Do the same with the highest position that this process has seen."""
        answer = await self._store.stand()
        self._metrics.waits_for_tables.set(answer["waits"])
        return _standing(answer)

    async def end_recovery(self, recovery_id: int, repaired: int, unmatched: int) -> Recovery:
        """End a recovery. Refused: RECOVERY_NOT_CURRENT."""
        answer = await self._ask("end_recovery", recovery_id, repaired, unmatched)
        recovery = Recovery.read(answer["recovery"])
        log.warning("recovery_ended", recovery=recovery_id, repaired=repaired, unmatched=unmatched)
        return recovery

    async def force_end_recovery(
        self, request_id: UUID, recovery_id: int, reason: str, operator: Operator
    ) -> Recovery:
        """End a recovery by an operator's decision; 0: stop waiting for a table service.

        Refused: RECOVERY_NOT_CURRENT, REQUEST_ID_REUSED.
        """
        who = operator.subject, operator.tenant
        answer = await self._ask("force_end_recovery", recovery_id, request_id, reason, *who)
        recovery = Recovery.read(answer["recovery"])
        self._acted("end_recovery", operator, request_id)
        number = recovery.recovery_id
        log.warning("recovery_ended_by_operator", recovery=number, operator=operator.subject, why=reason)
        return recovery

    async def recoveries(self, *, before: int | None, limit: int) -> list[Recovery]:
        """Return at most `limit` recoveries with an id below `before` (None: the newest), newest first."""
        return [Recovery.read(each) for each in (await self._ask("recoveries", before, limit))["recoveries"]]

    async def get_pot(self, pot_id: UUID) -> Pot:
        """Return a pot. Refused: POT_NOT_FOUND."""
        answer = await self._store.call("describe_pot", pot_id)
        if answer is None:
            raise Refused("POT_NOT_FOUND")
        return Pot.read(answer)

    async def deposit(self, request_id: UUID, movement: Movement, operator: Operator) -> Entry:
        """Credit a player. Refused: REQUEST_ID_REUSED, REFERENCE_USED, BALANCE_LIMIT."""
        return await self._move("deposit", "deposit", request_id, movement, operator)

    async def withdraw(self, request_id: UUID, movement: Movement, operator: Operator) -> Entry:
        """Debit a player. Refused: REQUEST_ID_REUSED, REFERENCE_USED, BALANCE_TOO_LOW."""
        return await self._move("withdraw", "withdraw", request_id, movement, operator)

    async def correct(self, request_id: UUID, movement: Movement, operator: Operator) -> Entry:
        """Change a balance by a signed amount.

        Refused: REQUEST_ID_REUSED, REFERENCE_USED, BALANCE_LIMIT, BALANCE_TOO_LOW.
        """
        return await self._move("correct", "correct", request_id, movement, operator)

    async def _move(
        self, function: str, act: str, request_id: UUID, movement: Movement, operator: Operator
    ) -> Entry:
        answer = await self._ask(
            function,
            movement.tenant,
            request_id,
            movement.player,
            movement.currency,
            movement.amount,
            movement.reference,
            operator.subject,
            operator.tenant,
        )
        self._acted(act, operator, request_id)
        return Entry.read(answer["entry"])

    async def set_fee_schedule(
        self, request_id: UUID, tenant: str, terms: FeeTerms, start_us: int | None, operator: Operator
    ) -> FeeSchedule:
        """Add a version, effective from a start time (microseconds since 1970; None: now).

        Refused: SCHEDULE_TOO_EARLY, REQUEST_ID_REUSED.
        """
        fees = terms.fee_bps, terms.fee_min, terms.fee_max
        who = operator.subject, operator.tenant
        answer = await self._ask("set_fee_schedule", tenant, request_id, *fees, start_us, *who)
        self._acted("set_fee_schedule", operator, request_id)
        return FeeSchedule(**answer["schedule"])

    async def fee_schedules(self, *, before: int | None, limit: int) -> list[FeeSchedule]:
        """Return at most `limit` versions below `before` (None: the newest), newest first."""
        return [
            FeeSchedule(**each) for each in (await self._ask("fee_schedules", before, limit))["schedules"]
        ]

    async def force_refund_pot(self, request_id: UUID, pot_id: UUID, reason: str, operator: Operator) -> Pot:
        """Refund the stakes by an operator's decision.

        Refused: POT_SETTLED, OWN_TABLE, REQUEST_ID_REUSED, POT_NOT_FOUND.
        """
        who = operator.subject, operator.tenant
        answer = await self._ask("force_refund_pot", pot_id, request_id, reason, *who)
        self._acted("refund_pot", operator, request_id)
        return Pot.read(answer["pot"])

    async def force_settle_pot(
        self, request_id: UUID, pot_id: UUID, seats: Sequence[int], reason: str, operator: Operator
    ) -> Pot:
        """Pay winners named by an operator.

        Refused: POT_NOT_LOCKED, POT_SETTLED, POT_REFUNDED, OWN_TABLE, REQUEST_ID_REUSED, POT_NOT_FOUND.
        """
        who = operator.subject, operator.tenant
        answer = await self._ask("force_settle_pot", pot_id, request_id, list(seats), reason, *who)
        self._acted("settle_pot", operator, request_id)
        return Pot.read(answer["pot"])

    async def operator_acts(self, subject: str, *, before: int | None, limit: int) -> list[OperatorAct]:
        """Return at most `limit` acts of an operator ("": of all) below `before`, newest first."""
        rows = (await self._ask("operator_acts", subject, before, limit))["acts"]
        return [OperatorAct.read(each) for each in rows]

    async def record_act(
        self, kind: str, request_id: UUID, tenant: str, obj: str, reason: str, operator: Operator
    ) -> int:
        """Record what an operator is about to do elsewhere; return its number. Refused: REQUEST_ID_REUSED."""
        who = operator.subject, operator.tenant
        answer = await self._ask("record_operator_act", kind, request_id, tenant, obj, reason, *who)
        self._acted(kind, operator, request_id)
        return int(answer["act_id"])

    def _acted(self, act: str, operator: Operator, request_id: UUID) -> None:
        self._metrics.operator_acts.labels(act).inc()
        log.info("operator_acted", act=act, operator=operator.subject, request_id=str(request_id))

    async def remove_unused_pots(self, days: int, limit: int) -> tuple[int, int]:
        """Check up to `limit` pots older than `days`, and remove those without any money movement.

        Returns how many were checked, and removed.
        """
        answer = await self._ask("remove_unused_pots", days, limit)
        return answer["looked"], answer["removed"]

    async def balances(self, tenant: str, player: str, currency: str = "") -> list[Balance]:
        """Return a player's balances by currency code; for one currency always exactly one."""
        rows = (await self._ask("balances", tenant, player, currency))["balances"]
        found = [Balance(**each) for each in rows]
        return found or ([Balance(currency, 0, 0)] if currency else [])

    async def entries(
        self, tenant: str, player: str, currency: str, *, before: int | None, limit: int
    ) -> list[Entry]:
        """Return at most `limit` entries with a sequence below `before` (None: the newest), newest first."""
        rows = (await self._ask("entries", tenant, player, currency, before, limit))["entries"]
        return [Entry.read(each) for each in rows]

    async def trial_balance(self) -> TrialBalance:
        """Return the sums of all accounts in one snapshot. Reads every entry; one at a time."""
        return TrialBalance.read(await self._store.audit("trial_balance"))

    async def watched(self) -> Watched:
        """Return the values that are monitored: cheap however large the ledger."""
        return Watched(**await self._ask("watch"))

    async def roll_up(self, limit: int) -> int:
        """Roll up to `limit` house and cashier entries into their accounts; return how many there were."""
        return int((await self._ask("roll_up", limit))["rolled"])

    async def _ask(self, function: str, *arguments: object) -> Answer:
        answer = await self._store.call(function, *arguments)
        reason = answer.get("refusal")
        if reason is None:
            return answer
        pot = Pot.read(answer["pot"]) if "pot" in answer else None
        if reason in _ALARMS:
            assert pot is not None
            self._metrics.alarms[reason].inc()
            log.error(reason.lower(), pot_id=str(pot.pot_id), state=pot.state, table_id=str(pot.table_id))
        raise Refused(reason, pot, answer.get("journal_id"))


def _standing(answer: Answer) -> tuple[Position, Recovery | None]:
    recovery = Recovery.read(answer["recovery"]) if answer["recovery"] else None
    return Position(**answer["position"]), recovery


def _rows(seats: Sequence[Seat]) -> Jsonb:
    return Jsonb([seat.row() for seat in seats])


def _fact(known: Known) -> tuple[str, list[int], bytes | None]:
    """Return the arguments of wallet.reconcile_pot: the fact, the winning seats and the digest."""
    match known:
        case Playing():
            return "playing", [], None
        case Won():
            return "won", list(known.winning_seats), known.result_digest
        case Aborted():
            return "aborted", [], None
        case _:
            assert_never(known)
