"""Owns the books behind FakeWallet: accounts, pots, reservations in memory, and what each operation does."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from jasshaus.api.common.v1 import money_pb2
from jasshaus.api.wallet.v1 import wallet_pb2
from jasshaus.platform.errors import Fault, failed_precondition, invalid_argument, not_found
from jasshaus.platform.validation import uuid_field

MAX_AMOUNT = 1_000_000_000_000
_OVER = (wallet_pb2.POT_STATE_SETTLED, wallet_pb2.POT_STATE_REFUNDED)


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


class Books:
    """The operations of the contract, request to response. Each raises Fault as the real one answers."""

    def __init__(self, *, fee_bps: int = 250, fee_min: int = 0, fee_max: int | None = None) -> None:
        self.schedule = (fee_bps, fee_min, fee_max)
        self.balances: dict[tuple[str, str, str], int] = {}
        self.house: Counter[str] = Counter()
        self.cashier: Counter[str] = Counter()
        self.pots: dict[str, _Pot] = {}
        self.reservations: dict[str, _Reservation] = {}
        self._deposits: dict[tuple[str, str], tuple[bytes, wallet_pb2.Entry]] = {}
        self._sequences: Counter[tuple[str, str, str]] = Counter()

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

    # The operations.

    def quote_pots(self, request: Any) -> wallet_pb2.QuotePotsResponse:
        for stake in request.stakes:
            _stake(stake)
        return wallet_pb2.QuotePotsResponse(
            quotes=[
                _quote(s.currency_code, s.minor_units, self._fee(s.minor_units), self.schedule[0], 1)
                for s in request.stakes
            ]
        )

    def open_pot(self, request: Any) -> wallet_pb2.OpenPotResponse:
        uuid_field(request.pot_id, "pot_id")
        stake = _stake(request.stake)
        terms = (request.tenant, request.stake.currency_code, stake)
        known = self.pots.get(request.pot_id)
        if known is None:
            self.pots[request.pot_id] = known = _Pot(*terms, self._fee(stake), self.schedule[0], 1)
        pot = self._describe(request.pot_id, known)
        if (known.tenant, known.currency, known.stake) != terms:
            raise _with_pot("POT_CONFLICT", pot)
        return wallet_pb2.OpenPotResponse(pot=pot)

    def hold_stake(self, request: Any) -> wallet_pb2.HoldStakeResponse:
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
        if known.state == "RELEASED":
            raise failed_precondition("RESERVATION_RELEASED", "the reservation was given back")
        return wallet_pb2.HoldStakeResponse(hold=_hold(request.reservation_id, known, pot))

    def release_stake(self, request: Any) -> wallet_pb2.ReleaseStakeResponse:
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
        if pot.state == wallet_pb2.POT_STATE_OPEN:
            pot.state = wallet_pb2.POT_STATE_LOCKED
        return wallet_pb2.LockPotResponse(pot=self._describe(request.pot_id, pot))

    def settle_pot(self, request: Any) -> wallet_pb2.SettlePotResponse:
        uuid_field(request.table_id, "table_id")
        pot = self._find(request.pot_id)
        seats = tuple(request.winning_seats)
        if seats not in {(a,) for a in range(4)} | {(a, b) for b in range(4) for a in range(b)}:
            raise invalid_argument("winning_seats", "must be one or two seats, in order")
        if len(request.result_digest) != 32:
            raise invalid_argument("result_digest", "must have 32 bytes")
        described = self._describe(request.pot_id, pot)
        match pot.state:
            case wallet_pb2.POT_STATE_OPEN:
                raise _with_pot("POT_NOT_LOCKED", described)
            case wallet_pb2.POT_STATE_REFUNDED:
                raise _with_pot("POT_REFUNDED", described)
            case wallet_pb2.POT_STATE_SETTLED:
                if (pot.winning_seats, pot.digest) != (seats, request.result_digest):
                    raise _with_pot("SETTLEMENT_CONFLICT", described)
            case _:
                self._pay(request.pot_id, pot, seats, request.result_digest)
        return wallet_pb2.SettlePotResponse(pot=self._describe(request.pot_id, pot))

    def refund_pot(self, request: Any) -> wallet_pb2.RefundPotResponse:
        pot = self._find(request.pot_id)
        if request.reason == wallet_pb2.REFUND_REASON_UNSPECIFIED:
            raise invalid_argument("reason", "is required")
        if pot.state == wallet_pb2.POT_STATE_SETTLED:
            raise _with_pot("POT_SETTLED", self._describe(request.pot_id, pot))
        closed = request.reason == wallet_pb2.REFUND_REASON_GAME_CLOSED
        if closed and pot.state == wallet_pb2.POT_STATE_LOCKED:
            raise _with_pot("POT_NOT_OPEN", self._describe(request.pot_id, pot))
        for held in self._held(request.pot_id):
            pot.payouts[held.seat], pot.holders[held.seat] = pot.stake, held.player
            self._give_back(held, pot)
        pot.state = wallet_pb2.POT_STATE_REFUNDED
        return wallet_pb2.RefundPotResponse(pot=self._describe(request.pot_id, pot))

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
        tenant = request.tenant or "default"
        account = (tenant, request.player_id, request.amount.currency_code)
        body = repr((account, request.amount.minor_units, request.reference))
        uuid_field(request.request_id, "request_id")
        if not 0 < request.amount.minor_units <= MAX_AMOUNT:
            raise invalid_argument("amount.minor_units", f"must be from 1 to {MAX_AMOUNT}")
        digest = hashlib.sha256(body.encode()).digest()
        known = self._deposits.get((tenant, request.request_id))
        if known is None:
            self._credit(account, request.amount.minor_units)
            self.cashier[account[2]] -= request.amount.minor_units
            now = Timestamp()
            now.GetCurrentTime()
            entry = wallet_pb2.Entry(
                journal_id=str(uuid4()),
                sequence=self._sequences[account],
                amount=request.amount,
                balance_after=_amount(account[2], self.balances[account]),
                kind=wallet_pb2.ENTRY_KIND_DEPOSIT,
                create_time=now,
                reference=request.reference,
            )
            self._deposits[tenant, request.request_id] = known = (digest, entry)
        if known[0] != digest:
            raise failed_precondition("REQUEST_ID_REUSED", "the request id was used with another body")
        return wallet_pb2.DepositResponse(entry=known[1])

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

    def _fee(self, stake: int) -> int:
        bps, low, high = self.schedule
        fee = max(4 * stake * bps // 10_000, low)
        return min(fee, 4 * stake) if high is None else min(fee, high, 4 * stake)

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
        )


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
