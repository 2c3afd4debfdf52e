"""The books behind FakeWallet: accounts, pots and reservations in memory."""

from __future__ import annotations

import copy
import hashlib
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import uuid4

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from jasshaus.api.common.v1 import money_pb2
from jasshaus.api.wallet.v1 import wallet_pb2
from jasshaus.platform.errors import Fault, failed_precondition, invalid_argument, not_found, unavailable
from jasshaus.platform.validation import bounded_int, required, uuid_field

MAX_AMOUNT = 1_000_000_000_000
MAX_BALANCE = 1_000_000_000_000_000
# What is in a backup of the database.
_KEPT = (
    "schedules",
    "acts",
    "balances",
    "house",
    "cashier",
    "pots",
    "reservations",
    "_requests",
    "_references",
    "_sequences",
    "position",
    "recoveries",
    "_lineages",
)
T = TypeVar("T")
_OVER = (wallet_pb2.POT_STATE_SETTLED, wallet_pb2.POT_STATE_REFUNDED)


def _now() -> Timestamp:
    now = Timestamp()
    now.FromMicroseconds(time.time_ns() // 1000)
    return now


@dataclass(slots=True)
class _Reservation:
    pot_id: str
    seat: int = -1
    player: str = ""
    state: str = "RELEASED"
    gave_back: bool = False
    refusal: str = ""


@dataclass(slots=True)
class _Pot:
    tenant: str
    currency: str
    stake: int
    fee: int
    fee_bps: int
    version: int
    state: wallet_pb2.PotState = wallet_pb2.POT_STATE_OPEN
    payouts: dict[int, int] = field(default_factory=dict)
    holders: dict[int, str] = field(default_factory=dict)
    winning_seats: tuple[int, ...] = ()
    digest: bytes = b""
    table: str = ""
    reason: wallet_pb2.RefundReason = wallet_pb2.REFUND_REASON_UNSPECIFIED
    opened: Timestamp = field(default_factory=_now)
    locked: Timestamp | None = None
    closed: Timestamp | None = None


class Books:
    """The operations of the contract, request to response. Each raises Fault as the real one answers."""

    def __init__(self, *, fee_bps: int = 250, fee_min: int = 0, fee_max: int | None = None) -> None:
        first = wallet_pb2.FeeSchedule(
            version=1,
            fee_bps=fee_bps,
            fee_min=fee_min,
            fee_max=fee_max,
            start_time=_now(),
            create_time=_now(),
        )
        self.schedules = [first]
        self.acts: list[wallet_pb2.OperatorAct] = []
        self.operator, self.service = "cashier", "matchmaking"
        self.balances: dict[tuple[str, str, str], int] = {}
        self.house: Counter[str] = Counter()
        self.cashier: Counter[str] = Counter()
        self.pots: dict[str, _Pot] = {}
        self.reservations: dict[str, _Reservation] = {}
        self._requests: dict[tuple[str, str], tuple[bytes, Any]] = {}
        self._references: dict[tuple[str, str, str], str] = {}
        self._sequences: Counter[tuple[str, str, str]] = Counter()
        self.position = wallet_pb2.LedgerPosition(system_identifier="fake-1", timeline=1, flushed=1)
        self.recoveries: list[wallet_pb2.Recovery] = []
        self._lineages = {"fake-1"}
        self._taken_back = ""

    # What tests look at.

    def fund(self, *players: str, amount: int, currency: str = "CHF", tenant: str = "default") -> None:
        """Deposit without an RPC."""
        for player in players:
            self._credit((tenant, player, currency), amount)
            self.cashier[currency] -= amount

    def balance(self, player: str, currency: str = "CHF", tenant: str = "default") -> int:
        """Return what a player can stake."""
        return self.balances.get((tenant, player, currency), 0)

    def pot(self, pot_id: str) -> wallet_pb2.Pot:
        """Return a pot without an RPC. Raises Fault POT_NOT_FOUND."""
        return self._describe(pot_id, self._find(pot_id))

    def total(self, currency: str = "CHF") -> int:
        """Return the sum of all accounts: 0 in a sound ledger."""
        players = sum(amount for key, amount in self.balances.items() if key[2] == currency)
        held = sum(
            self.pots[r.pot_id].stake
            for r in self.reservations.values()
            if r.state == "HELD" and self.pots[r.pot_id].currency == currency
        )
        return players + held + self.house[currency] + self.cashier[currency]

    # What happens to a ledger when PostgreSQL is restored.

    def backup(self) -> dict[str, Any]:
        """Return a copy of the whole ledger, for `restore`."""
        return copy.deepcopy({name: getattr(self, name) for name in _KEPT})

    def restore(self, backup: dict[str, Any], cause: str = "timeline") -> None:
        """Take the ledger back to a copy.

        With the cause `position` nothing gives it away but the position that somebody has seen.
        """
        for name, value in copy.deepcopy(backup).items():
            setattr(self, name, value)
        self._taken_back = "" if cause == "position" else cause

    @property
    def recovering(self) -> bool:
        """Whether what takes money out of pots waits."""
        return bool(self._taken_back) or any(not each.HasField("end_time") for each in self.recoveries)

    def check_ledger(self, request: Any) -> wallet_pb2.CheckLedgerResponse:
        seen, cause = request.seen, self._taken_back
        if not cause and seen.system_identifier:
            if seen.system_identifier == self.position.system_identifier:
                cause = "position" if seen.flushed > self.position.flushed else ""
            elif seen.system_identifier not in self._lineages:
                cause = "server"
        self._lineages.add(seen.system_identifier)
        if cause:
            for each in self.recoveries:
                if not each.HasField("end_time"):
                    each.end_time.CopyFrom(_now())
            self._taken_back = ""
            self.position.system_identifier = f"fake-{uuid4()}"
            self.position.timeline += cause == "timeline"
            self._lineages.add(self.position.system_identifier)
            self.recoveries.append(
                wallet_pb2.Recovery(
                    recovery_id=len(self.recoveries) + 1,
                    cause=cause,
                    begin_time=_now(),
                    position=self.position,
                )
            )
        return wallet_pb2.CheckLedgerResponse(
            position=self.position, recovery=self.recoveries[-1] if self.recovering else None
        )

    def end_recovery(self, request: Any) -> wallet_pb2.EndRecoveryResponse:
        if not self.recoveries or self._taken_back or self.recoveries[-1].recovery_id != request.recovery_id:
            raise failed_precondition("RECOVERY_NOT_CURRENT", "another recovery has begun since")
        latest = self.recoveries[-1]
        if not latest.HasField("end_time"):
            latest.end_time.CopyFrom(_now())
            latest.repaired, latest.unmatched = request.repaired, request.unmatched
        return wallet_pb2.EndRecoveryResponse(recovery=latest)

    def force_end_recovery(self, request: Any) -> wallet_pb2.ForceEndRecoveryResponse:
        _said(request.reason, "reason")
        if self._known("", request) is None:
            latest = self.recoveries[-1] if self.recoveries else wallet_pb2.Recovery()
            if self._taken_back or latest.recovery_id != request.recovery_id or latest.HasField("end_time"):
                raise failed_precondition("RECOVERY_NOT_CURRENT", "another recovery has begun since")
            latest.end_time.CopyFrom(_now())
            latest.ended_by = self.operator
            self._record("end_recovery", request, "", str(request.recovery_id), request.reason, "")
            self._answered("", request, True)
        return wallet_pb2.ForceEndRecoveryResponse(recovery=self.recoveries[request.recovery_id - 1])

    def record_act(self, request: Any) -> wallet_pb2.RecordActResponse:
        uuid_field(request.object, "object")
        act_id = self._known("", request)
        if act_id is None:
            kind = wallet_pb2.ActKind.Name(request.kind).removeprefix("ACT_KIND_").lower()
            self._record(kind, request, request.tenant, request.object, request.reason, "")
            self.acts[-1].subject, self.acts[-1].subject_tenant = request.subject, request.subject_tenant
            act_id = len(self.acts)
            self._answered("", request, act_id)
        return wallet_pb2.RecordActResponse(act_id=act_id)

    def list_recoveries(self, request: Any) -> wallet_pb2.ListRecoveriesResponse:
        newest_first = self.recoveries[::-1]
        page, token = _page(newest_first, request, lambda each: str(each.recovery_id))
        return wallet_pb2.ListRecoveriesResponse(recoveries=page, next_page_token=token)

    # The operations.

    def quote_pots(self, request: Any) -> wallet_pb2.QuotePotsResponse:
        for stake in request.stakes:
            _stake(stake)
        by = self._schedule(request.tenant)
        return wallet_pb2.QuotePotsResponse(
            quotes=[
                _quote(s.currency_code, s.minor_units, _fee(s.minor_units, by), by.fee_bps, by.version)
                for s in request.stakes
            ]
        )

    def open_pot(self, request: Any) -> wallet_pb2.OpenPotResponse:
        uuid_field(request.pot_id, "pot_id")
        stake = _stake(request.stake)
        terms = (request.tenant, request.stake.currency_code, stake)
        known = self.pots.get(request.pot_id)
        if known is None:
            by = self._schedule(request.tenant)
            self.pots[request.pot_id] = known = _Pot(*terms, _fee(stake, by), by.fee_bps, by.version)
        pot = self._describe(request.pot_id, known)
        if (known.tenant, known.currency, known.stake) != terms:
            raise _with_pot("POT_CONFLICT", pot)
        return wallet_pb2.OpenPotResponse(pot=pot)

    def hold_stake(self, request: Any) -> wallet_pb2.HoldStakeResponse:
        self._require_standing()
        uuid_field(request.reservation_id, "reservation_id")
        pot = self._find(request.pot_id)
        known = self.reservations.get(request.reservation_id)
        if known is None:
            known = _Reservation(request.pot_id, request.seat, request.player_id)
            known.refusal = self._why_not(known, pot)
            known.state = "REFUSED" if known.refusal else "HELD"
            self.reservations[request.reservation_id] = known
            if not known.refusal:
                self._credit((pot.tenant, known.player, pot.currency), -pot.stake)
        if known.pot_id != request.pot_id or (
            known.player and (known.seat, known.player) != (request.seat, request.player_id)
        ):
            raise failed_precondition("RESERVATION_MISMATCH", "the reservation is another one")
        if known.refusal:
            raise failed_precondition(known.refusal, "the reservation was refused")
        if known.state in {"RELEASED", "REFUNDED"}:
            raise failed_precondition("RESERVATION_RELEASED", "the reservation was given back")
        return wallet_pb2.HoldStakeResponse(hold=_hold(request.reservation_id, known, pot))

    def release_stake(self, request: Any) -> wallet_pb2.ReleaseStakeResponse:
        self._require_standing()
        uuid_field(request.reservation_id, "reservation_id")
        pot = self._find(request.pot_id)
        known = self.reservations.setdefault(request.reservation_id, _Reservation(request.pot_id))
        if known.pot_id != request.pot_id:
            raise failed_precondition("RESERVATION_MISMATCH", "the reservation is of another pot")
        if known.state in {"HELD", "PAID"}:
            if pot.state != wallet_pb2.POT_STATE_OPEN:
                raise _with_pot("POT_NOT_OPEN", self._describe(request.pot_id, pot))
            self._give_back(known, pot)
        return wallet_pb2.ReleaseStakeResponse(released=known.gave_back)

    def lock_pot(self, request: Any) -> wallet_pb2.LockPotResponse:
        self._require_standing()
        pot = self._find(request.pot_id)
        if sorted(hold.seat for hold in request.holds) != [0, 1, 2, 3]:
            raise invalid_argument("holds", "must be four, one a seat")
        entered = [
            _hold(key, r, pot)
            for key, r in sorted(self.reservations.items(), key=lambda item: item[1].seat)
            if r.pot_id == request.pot_id and r.state in {"HELD", "PAID"}
        ]
        same = entered == sorted(request.holds, key=lambda hold: hold.seat)
        if pot.state == wallet_pb2.POT_STATE_REFUNDED or (
            pot.state == wallet_pb2.POT_STATE_SETTLED and not same
        ):
            raise _with_pot("POT_NOT_OPEN", self._describe(request.pot_id, pot))
        if not same:
            raise _with_pot("HOLDS_DIFFER", self._describe(request.pot_id, pot))
        if pot.table and request.table_id and pot.table != request.table_id:
            raise _with_pot("TABLE_MISMATCH", self._describe(request.pot_id, pot))
        self._require_no_stake(request.pot_id, self.service)
        if pot.state == wallet_pb2.POT_STATE_OPEN:
            pot.state, pot.locked = wallet_pb2.POT_STATE_LOCKED, _now()
        pot.table = pot.table or request.table_id
        return wallet_pb2.LockPotResponse(pot=self._describe(request.pot_id, pot))

    def settle_pot(self, request: Any) -> wallet_pb2.SettlePotResponse:
        uuid_field(request.table_id, "table_id")
        _check_seats(request.seats, optional=False)
        pot = self._find(request.pot_id)
        seats = _winners(request)
        described = self._describe(request.pot_id, pot)
        if pot.state == wallet_pb2.POT_STATE_OPEN:
            raise _with_pot("POT_NOT_LOCKED", described)
        if pot.state == wallet_pb2.POT_STATE_REFUNDED and not pot.table:
            raise _with_pot("POT_REFUNDED", described)
        if not self._belongs(request, pot):
            raise _with_pot("TABLE_MISMATCH", described)
        self._require_no_stake(request.pot_id, self.service)
        match pot.state:
            case wallet_pb2.POT_STATE_REFUNDED:
                raise _with_pot("POT_REFUNDED", described)
            case wallet_pb2.POT_STATE_SETTLED:
                if (pot.winning_seats, pot.digest) != (seats, request.result_digest):
                    raise _with_pot("SETTLEMENT_CONFLICT", described)
            case _:
                self._pay(request.pot_id, pot, seats, request.result_digest)
                pot.table = request.table_id
        return wallet_pb2.SettlePotResponse(pot=self._describe(request.pot_id, pot))

    def refund_pot(self, request: Any) -> wallet_pb2.RefundPotResponse:
        self._require_standing()
        pot = self._find(request.pot_id)
        if request.reason == wallet_pb2.REFUND_REASON_UNSPECIFIED:
            raise invalid_argument("reason", "is required")
        if request.reason in {wallet_pb2.REFUND_REASON_STAKES_MISSING, wallet_pb2.REFUND_REASON_OPERATOR}:
            raise invalid_argument("reason", "must be one that a service may give")
        _check_seats(request.seats, optional=not request.table_id)
        described = self._describe(request.pot_id, pot)
        match pot.state:
            case wallet_pb2.POT_STATE_OPEN:
                mine = not request.table_id or self._matching(request) == len(self._stakes(request.pot_id))
            case wallet_pb2.POT_STATE_REFUNDED:
                mine = not pot.table or not request.table_id or self._belongs(request, pot)
            case _:
                mine = self._belongs(request, pot)
        if pot.state == wallet_pb2.POT_STATE_SETTLED and (mine or not request.table_id):
            raise _with_pot("POT_SETTLED", described)
        closed = request.reason == wallet_pb2.REFUND_REASON_GAME_CLOSED
        if pot.state == wallet_pb2.POT_STATE_LOCKED and (closed or not request.table_id):
            raise _with_pot("POT_NOT_OPEN", described)
        if not mine:
            raise _with_pot("TABLE_MISMATCH", described)
        self._require_no_stake(request.pot_id, self.service)
        if pot.state != wallet_pb2.POT_STATE_REFUNDED:
            self._refund(request.pot_id, pot, request.reason, request.table_id)
        return wallet_pb2.RefundPotResponse(pot=self._describe(request.pot_id, pot))

    def reconcile_pot(self, request: Any) -> wallet_pb2.ReconcilePotResponse:
        uuid_field(request.table_id, "table_id")
        _check_seats(request.seats, optional=False)
        fact = request.WhichOneof("known")
        if fact is None:
            raise invalid_argument("known", "is required")
        winners = _winners(request.won) if fact == "won" else ()
        pot, repaired = self._find(request.pot_id), False
        self._require_no_stake(request.pot_id, self.service)
        if pot.state == wallet_pb2.POT_STATE_OPEN:
            repaired = True
            if self._matching(request) == 4:
                pot.state, pot.locked, pot.table = wallet_pb2.POT_STATE_LOCKED, _now(), request.table_id
            else:
                missing = wallet_pb2.REFUND_REASON_STAKES_MISSING
                self._refund(request.pot_id, pot, missing, request.table_id)
        elif not self._belongs(request, pot) and not (
            pot.state == wallet_pb2.POT_STATE_REFUNDED and pot.table in {"", request.table_id}
        ):
            raise _with_pot("TABLE_MISMATCH", self._describe(request.pot_id, pot))
        elif pot.state == wallet_pb2.POT_STATE_LOCKED:
            pot.table = request.table_id
        match pot.state:
            case wallet_pb2.POT_STATE_LOCKED if fact == "won":
                repaired = True
                self._pay(request.pot_id, pot, winners, request.won.result_digest)
            case wallet_pb2.POT_STATE_LOCKED if fact == "aborted":
                repaired = True
                aborted = wallet_pb2.REFUND_REASON_TABLE_ABORTED
                self._refund(request.pot_id, pot, aborted, request.table_id)
            case wallet_pb2.POT_STATE_SETTLED if fact != "won":
                raise _with_pot("POT_SETTLED", self._describe(request.pot_id, pot))
            case wallet_pb2.POT_STATE_SETTLED:
                if (pot.winning_seats, pot.digest) != (winners, request.won.result_digest):
                    raise _with_pot("SETTLEMENT_CONFLICT", self._describe(request.pot_id, pot))
            case wallet_pb2.POT_STATE_REFUNDED:
                if fact != "aborted" and pot.reason != wallet_pb2.REFUND_REASON_STAKES_MISSING:
                    raise _with_pot("POT_REFUNDED", self._describe(request.pot_id, pot))
        described = self._describe(request.pot_id, pot)
        return wallet_pb2.ReconcilePotResponse(pot=described, repaired=repaired)

    def check_pots(self, request: Any) -> wallet_pb2.CheckPotsResponse:
        bounded_int(len(request.ended), "ended", low=0, high=1000)
        otherwise = [each.pot_id for each in request.ended if not self._ended_so(each)]
        return wallet_pb2.CheckPotsResponse(pot_ids=otherwise)

    def _ended_so(self, ended: Any) -> bool:
        uuid_field(ended.pot_id, "pot_id")
        uuid_field(ended.table_id, "table_id")
        winners = _winners(ended) if ended.winning_seats else ()
        pot = self.pots.get(ended.pot_id)
        if pot is None or pot.table not in {"", ended.table_id}:
            return False
        if not winners:
            return pot.state == wallet_pb2.POT_STATE_REFUNDED
        paid = (wallet_pb2.POT_STATE_SETTLED, winners, ended.result_digest)
        return (pot.state, pot.winning_seats, pot.digest) == paid

    def list_pots(self, request: Any) -> wallet_pb2.ListPotsResponse:
        before = request.opened_before.ToMicroseconds() if request.HasField("opened_before") else None
        found = [
            (pot.opened.ToMicroseconds(), pot_id)
            for pot_id, pot in self.pots.items()
            if (not request.states or pot.state in request.states)
            and request.tenant in {"", pot.tenant}
            and (before is None or pot.opened.ToMicroseconds() < before)
        ]
        page, token = _page(sorted(found), request, repr)
        return wallet_pb2.ListPotsResponse(pots=[self.pot(each[1]) for each in page], next_page_token=token)

    def get_pot(self, request: Any) -> wallet_pb2.GetPotResponse:
        return wallet_pb2.GetPotResponse(pot=self.pot(request.pot_id))

    def get_balance(self, request: Any) -> wallet_pb2.GetBalanceResponse:
        tenant = request.tenant or "default"
        currencies = [request.currency_code]
        if not request.currency_code:
            currencies = sorted(key[2] for key in self.balances if key[:2] == (tenant, request.player_id))
        return wallet_pb2.GetBalanceResponse(
            balances=[
                wallet_pb2.Balance(
                    available=_amount(currency, self.balance(request.player_id, currency, tenant)),
                    in_pots=_amount(currency, self._in_pots(tenant, request.player_id, currency)),
                )
                for currency in currencies
            ]
        )

    def deposit(self, request: Any) -> wallet_pb2.DepositResponse:
        _within(request.amount.minor_units, 1)
        return wallet_pb2.DepositResponse(entry=self._move("DEPOSIT", "deposit", request, 1))

    def withdraw(self, request: Any) -> wallet_pb2.WithdrawResponse:
        self._require_standing()
        _within(request.amount.minor_units, 1)
        _said(request.reference, "reference")
        return wallet_pb2.WithdrawResponse(entry=self._move("WITHDRAWAL", "withdraw", request, -1))

    def correct(self, request: Any) -> wallet_pb2.CorrectResponse:
        self._require_standing()
        _within(request.amount.minor_units, -MAX_AMOUNT)
        _said(request.reference, "reference")
        return wallet_pb2.CorrectResponse(entry=self._move("CORRECTION", "correct", request, 1))

    def _move(self, kind: str, act: str, request: Any, sign: int) -> wallet_pb2.Entry:
        tenant = request.tenant or "default"
        account = (tenant, request.player_id, request.amount.currency_code)
        known = self._known(tenant, request)
        if known is not None:
            return known
        used = self._references.get((tenant, kind, request.reference.lower()))
        if used is not None:
            raise failed_precondition("REFERENCE_USED", "the reference was used", journal_id=used)
        change = sign * request.amount.minor_units
        balance = self.balances.get(account, 0) + change
        if balance < 0:
            raise failed_precondition("BALANCE_TOO_LOW", "the balance does not cover it")
        if change > 0 and balance > MAX_BALANCE:
            raise failed_precondition("BALANCE_LIMIT", "the account would hold too much")
        self._credit(account, change)
        self.cashier[account[2]] -= change
        entry = wallet_pb2.Entry(
            journal_id=str(uuid4()),
            sequence=self._sequences[account],
            amount=_amount(account[2], change),
            balance_after=_amount(account[2], balance),
            kind=wallet_pb2.EntryKind.Value(f"ENTRY_KIND_{kind}"),
            create_time=_now(),
            reference=request.reference,
        )
        if request.reference:
            self._references[tenant, kind, request.reference.lower()] = entry.journal_id
        self._record(act, request, tenant, request.player_id, request.reference, entry.journal_id)
        self._answered(tenant, request, entry)
        return entry

    def set_fee_schedule(self, request: Any) -> wallet_pb2.SetFeeScheduleResponse:
        bounded_int(request.fee_bps, "fee_bps", low=0, high=10_000)
        bounded_int(request.fee_min, "fee_min", low=0, high=MAX_AMOUNT)
        if request.HasField("fee_max"):
            bounded_int(request.fee_max, "fee_max", low=request.fee_min, high=MAX_AMOUNT)
        known = self._known(request.tenant, request)
        if known is None:
            now = _now()
            start = request.start_time if request.HasField("start_time") else now
            others = [each.start_time for each in self.schedules if each.tenant == request.tenant]
            if any(start.ToMicroseconds() < each.ToMicroseconds() for each in [now, *others]):
                raise failed_precondition("SCHEDULE_TOO_EARLY", "it would start too early")
            known = wallet_pb2.FeeSchedule(
                version=len(self.schedules) + 1,
                tenant=request.tenant,
                fee_bps=request.fee_bps,
                fee_min=request.fee_min,
                fee_max=request.fee_max if request.HasField("fee_max") else None,
                start_time=start,
                create_time=now,
                created_by=self.operator,
            )
            self.schedules.append(known)
            self._record("set_fee_schedule", request, request.tenant, "", f"version {known.version}", "")
            self._answered(request.tenant, request, known)
        return wallet_pb2.SetFeeScheduleResponse(schedule=known)

    def list_fee_schedules(self, request: Any) -> wallet_pb2.ListFeeSchedulesResponse:
        page, token = _page(self.schedules[::-1], request, lambda each: str(each.version))
        return wallet_pb2.ListFeeSchedulesResponse(schedules=page, next_page_token=token)

    def force_refund_pot(self, request: Any) -> wallet_pb2.ForceRefundPotResponse:
        pot = self._forced(request)
        if pot is not None:
            if pot.state == wallet_pb2.POT_STATE_SETTLED:
                raise _with_pot("POT_SETTLED", self._describe(request.pot_id, pot))
            if pot.state != wallet_pb2.POT_STATE_REFUNDED:
                self._refund(request.pot_id, pot, wallet_pb2.REFUND_REASON_OPERATOR, "")
            self._force("refund_pot", request, pot)
        return wallet_pb2.ForceRefundPotResponse(pot=self.pot(request.pot_id))

    def force_settle_pot(self, request: Any) -> wallet_pb2.ForceSettlePotResponse:
        seats = _winning(request.winning_seats)
        pot = self._forced(request)
        if pot is not None:
            reason = {
                wallet_pb2.POT_STATE_OPEN: "POT_NOT_LOCKED",
                wallet_pb2.POT_STATE_SETTLED: "POT_SETTLED",
                wallet_pb2.POT_STATE_REFUNDED: "POT_REFUNDED",
            }.get(pot.state)
            if reason is not None:
                raise _with_pot(reason, self._describe(request.pot_id, pot))
            self._pay(request.pot_id, pot, seats, hashlib.sha256(request.SerializeToString()).digest())
            self._force("settle_pot", request, pot)
        return wallet_pb2.ForceSettlePotResponse(pot=self.pot(request.pot_id))

    def _forced(self, request: Any) -> _Pot | None:
        """The pot to decide on; None when this very request has decided."""
        self._require_standing()
        _said(request.reason, "reason")
        pot = self._find(request.pot_id)
        if self._known(pot.tenant, request) is not None:
            return None
        self._require_no_stake(request.pot_id, self.operator)
        return pot

    def _force(self, act: str, request: Any, pot: _Pot) -> None:
        self._record(act, request, pot.tenant, request.pot_id, request.reason, "")
        self._answered(pot.tenant, request, True)

    def list_operator_acts(self, request: Any) -> wallet_pb2.ListOperatorActsResponse:
        found = [each for each in self.acts[::-1] if request.subject in {"", each.subject}]
        page, token = _page(found, request, lambda each: str(each.act_id))
        return wallet_pb2.ListOperatorActsResponse(acts=page, next_page_token=token)

    def trial_balance(self, _request: Any) -> wallet_pb2.TrialBalanceResponse:
        currencies = sorted({key[2] for key in self.balances} | set(self.cashier))
        totals = [_amount(currency, self.total(currency)) for currency in currencies]
        return wallet_pb2.TrialBalanceResponse(
            totals=totals, balanced=not any(total.minor_units for total in totals)
        )

    # Below them.

    def _find(self, pot_id: str) -> _Pot:
        uuid_field(pot_id, "pot_id")
        if pot_id not in self.pots:
            raise not_found("POT_NOT_FOUND", "no such pot")
        return self.pots[pot_id]

    def _schedule(self, tenant: str) -> wallet_pb2.FeeSchedule:
        now = _now().ToMicroseconds()
        started = [each for each in self.schedules if each.start_time.ToMicroseconds() <= now]
        own = [each for each in started if each.tenant == tenant]
        return (own or [each for each in started if not each.tenant])[-1]

    def _known(self, tenant: str, request: Any) -> Any:
        """What this request was answered, None for a new one."""
        uuid_field(request.request_id, "request_id")
        body, answer = self._requests.get((tenant, request.request_id), (None, None))
        if body not in {None, _body(request)}:
            raise failed_precondition("REQUEST_ID_REUSED", "the request id was used with another body")
        return answer

    def _answered(self, tenant: str, request: Any, answer: Any) -> None:
        self._requests[tenant, request.request_id] = (_body(request), answer)

    def _record(self, kind: str, request: Any, tenant: str, whom: str, reason: str, journal_id: str) -> None:
        act = wallet_pb2.OperatorAct(
            act_id=len(self.acts) + 1,
            subject=self.operator,
            subject_tenant="default",
            kind=kind,
            request_id=request.request_id,
            tenant=tenant,
            object=whom,
            reason=reason,
            journal_id=journal_id,
            create_time=_now(),
        )
        self.acts.append(act)

    def _require_no_stake(self, pot_id: str, subject: str) -> None:
        if any(r.player == subject for r in self._stakes(pot_id).values()):
            raise _with_pot("OWN_TABLE", self.pot(pot_id))

    def _require_standing(self) -> None:
        if self.recovering:
            raise unavailable("LEDGER_RECOVERING", "the ledger recovers", retry_after=0.01)

    def _stakes(self, pot_id: str) -> dict[str, _Reservation]:
        """Stakes in the pot, or that went out with it, by reservation."""
        return {
            key: r
            for key, r in self.reservations.items()
            if r.pot_id == pot_id and r.state in {"HELD", "PAID", "REFUNDED"}
        }

    def _matching(self, request: Any) -> int:
        stakes = {(r.seat, r.player): key for key, r in self._stakes(request.pot_id).items()}
        named = (stakes.get((seat.seat, seat.player_id)) for seat in request.seats)
        return sum(
            key is not None and seat.reservation_id in {"", key}
            for seat, key in zip(request.seats, named, strict=True)
        )

    def _belongs(self, request: Any, pot: _Pot) -> bool:
        bound = pot.table == request.table_id if pot.table else len(request.seats) == 4
        return bool(request.table_id) and bound and self._matching(request) == len(request.seats)

    def _refund(self, pot_id: str, pot: _Pot, reason: wallet_pb2.RefundReason, table: str) -> None:
        for held in self._held(pot_id):
            pot.payouts[held.seat], pot.holders[held.seat] = pot.stake, held.player
            self._give_back(held, pot)
            held.state = "REFUNDED"
        pot.state, pot.reason, pot.closed = wallet_pb2.POT_STATE_REFUNDED, reason, _now()
        pot.table = pot.table or table

    def _held(self, pot_id: str) -> list[_Reservation]:
        held = (r for r in self.reservations.values() if r.pot_id == pot_id and r.state == "HELD")
        return sorted(held, key=lambda r: r.seat)

    def _why_not(self, wanted: _Reservation, pot: _Pot) -> str:
        held = self._held(wanted.pot_id)
        if not 0 <= wanted.seat <= 3:
            raise invalid_argument("seat", "must be from 0 to 3")
        if pot.state != wallet_pb2.POT_STATE_OPEN:
            return "POT_NOT_OPEN"
        if any(r.player == wanted.player for r in held):
            return "PLAYER_ALREADY_HOLDS"
        if any(r.seat == wanted.seat for r in held):
            return "SEAT_TAKEN"
        if self.balance(wanted.player, pot.currency, pot.tenant) < pot.stake:
            return "INSUFFICIENT_FUNDS"
        return ""

    def _credit(self, account: tuple[str, str, str], amount: int) -> None:
        self.balances[account] = self.balances.get(account, 0) + amount
        self._sequences[account] += 1

    def _give_back(self, held: _Reservation, pot: _Pot) -> None:
        self._credit((pot.tenant, held.player, pot.currency), pot.stake)
        held.state, held.gave_back = "RELEASED", True

    def _pay(self, pot_id: str, pot: _Pot, seats: tuple[int, ...], digest: bytes) -> None:
        holders = {held.seat: held for held in self._held(pot_id)}
        for seat, share in zip(seats, _split(4 * pot.stake - pot.fee, len(seats)), strict=True):
            pot.payouts[seat], pot.holders[seat] = share, holders[seat].player
            self._credit((pot.tenant, holders[seat].player, pot.currency), share)
        self.house[pot.currency] += pot.fee
        for held in holders.values():
            held.state = "PAID"
        pot.state, pot.winning_seats, pot.digest = wallet_pb2.POT_STATE_SETTLED, seats, digest
        pot.closed = _now()

    def _in_pots(self, tenant: str, player: str, currency: str) -> int:
        return sum(
            pot.stake
            for pot_id, pot in self.pots.items()
            if (pot.tenant, pot.currency) == (tenant, currency)
            for held in self._held(pot_id)
            if held.player == player
        )

    def _describe(self, pot_id: str, pot: _Pot) -> wallet_pb2.Pot:
        open_or_locked = pot.state not in _OVER
        return wallet_pb2.Pot(
            pot_id=pot_id,
            tenant=pot.tenant,
            state=pot.state,
            quote=_quote(pot.currency, pot.stake, pot.fee, pot.fee_bps, pot.version),
            holds=[
                _hold(key, r, pot)
                for key, r in sorted(self.reservations.items(), key=lambda item: item[1].seat)
                if open_or_locked and r.pot_id == pot_id and r.state == "HELD"
            ],
            payouts=[
                wallet_pb2.Payout(seat=seat, player_id=pot.holders[seat], amount=_amount(pot.currency, share))
                for seat, share in sorted(pot.payouts.items())
            ],
            fee_taken=_amount(pot.currency, pot.fee) if pot.state == wallet_pb2.POT_STATE_SETTLED else None,
            result_digest=pot.digest,
            table_id=pot.table,
            refund_reason=pot.reason,
            create_time=pot.opened,
            lock_time=pot.locked,
            close_time=pot.closed,
        )


def _fee(stake: int, by: wallet_pb2.FeeSchedule) -> int:
    fee = max(4 * stake * by.fee_bps // 10_000, by.fee_min)
    return min(fee, by.fee_max, 4 * stake) if by.HasField("fee_max") else min(fee, 4 * stake)


def _body(request: Any) -> bytes:
    return hashlib.sha256(type(request).__name__.encode() + request.SerializeToString()).digest()


def _said(text: str, field: str) -> None:
    required(text, field)


def _within(minor_units: int, low: int) -> None:
    if not low <= minor_units <= MAX_AMOUNT or minor_units == 0:
        raise invalid_argument("amount.minor_units", f"must be from {low} to {MAX_AMOUNT}, and not 0")


def _winners(result: Any) -> tuple[int, ...]:
    seats = _winning(result.winning_seats)
    if len(result.result_digest) != 32:
        raise invalid_argument("result_digest", "must have 32 bytes")
    return seats


def _winning(named: Any) -> tuple[int, ...]:
    seats = tuple(named)
    if seats not in {(a,) for a in range(4)} | {(a, b) for b in range(4) for a in range(b)}:
        raise invalid_argument("winning_seats", "must be one or two seats, in order")
    return seats


def _check_seats(seats: Any, *, optional: bool = True) -> None:
    if sorted(seat.seat for seat in seats) != [0, 1, 2, 3] and not (optional and not seats):
        raise invalid_argument("seats", "must be four, one a seat")


def _page(listed: list[T], request: Any, mark: Callable[[T], str]) -> tuple[list[T], str]:
    """The page asked for, and the token of the next one: where it goes on, in the clear."""
    marks = [mark(each) for each in listed]
    if request.page_token and request.page_token not in marks:
        raise invalid_argument("page_token", "is not one of this list", reason="INVALID_PAGE_TOKEN")
    first = marks.index(request.page_token) + 1 if request.page_token else 0
    size = request.page_size or 50
    more = len(listed) > first + size
    return listed[first : first + size], marks[first + size - 1] if more else ""


def _amount(currency: str, minor_units: int) -> money_pb2.Amount:
    return money_pb2.Amount(currency_code=currency, minor_units=minor_units)


def _stake(stake: money_pb2.Amount) -> int:
    if not 0 < stake.minor_units <= MAX_AMOUNT:
        raise invalid_argument("stake.minor_units", f"must be from 1 to {MAX_AMOUNT}")
    return stake.minor_units


def _split(net: int, parts: int) -> list[int]:
    return [net // parts + (1 if index < net % parts else 0) for index in range(parts)]


def _quote(currency: str, stake: int, fee: int, fee_bps: int, version: int) -> money_pb2.Quote:
    return money_pb2.Quote(
        stake=_amount(currency, stake),
        pot=_amount(currency, 4 * stake),
        fee=_amount(currency, fee),
        net=_amount(currency, 4 * stake - fee),
        side_payouts=[_amount(currency, share) for share in _split(4 * stake - fee, 2)],
        fee_schedule_version=version,
        fee_bps=fee_bps,
    )


def _hold(reservation_id: str, held: _Reservation, pot: _Pot) -> wallet_pb2.Hold:
    return wallet_pb2.Hold(
        seat=held.seat,
        player_id=held.player,
        reservation_id=reservation_id,
        amount=_amount(pot.currency, pot.stake),
    )


def _with_pot(reason: str, pot: wallet_pb2.Pot) -> Fault:
    return Fault(
        grpc.StatusCode.FAILED_PRECONDITION,
        reason,
        f"pot is {wallet_pb2.PotState.Name(pot.state)}",
        metadata={"pot_id": pot.pot_id},
        details=(pot,),
    )
