"""The ledger's values in the domain, each read from a SQL function's answer.

Amounts are whole minor units of the accompanying currency.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self
from uuid import UUID

Row = Mapping[str, Any]


class PotState(StrEnum):
    """OPEN -> LOCKED -> SETTLED, or OPEN/LOCKED -> REFUNDED."""

    OPEN = "OPEN"
    LOCKED = "LOCKED"
    SETTLED = "SETTLED"
    REFUNDED = "REFUNDED"


class JournalKind(StrEnum):
    """The purpose of a movement of money."""

    DEPOSIT = "deposit"
    STAKE = "stake"
    RELEASE = "release"
    PAYOUT = "payout"
    REFUND = "refund"
    WITHDRAWAL = "withdrawal"
    CORRECTION = "correction"


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote for four stakes; `side_payouts` are the two shares of `net` for a winning side."""

    currency: str
    stake: int
    pot: int
    fee: int
    net: int
    side_payouts: tuple[int, ...]
    fee_schedule_version: int
    fee_bps: int

    @classmethod
    def read(cls, row: Row) -> Self:
        """Read an answer of wallet.quote."""
        return cls(**{**row, "side_payouts": tuple(row["side_payouts"])})


@dataclass(frozen=True, slots=True)
class Hold:
    """A stake in a pot."""

    seat: int
    player: str
    reservation_id: UUID
    currency: str
    amount: int

    @classmethod
    def read(cls, row: Row) -> Self:
        """Read a hold of an answer."""
        return cls(**{**row, "reservation_id": UUID(row["reservation_id"])})

    def row(self) -> Row:
        """Return the form that wallet.lock_pot compares."""
        return {
            "seat": self.seat,
            "player": self.player,
            "reservation_id": str(self.reservation_id),
            "currency": self.currency,
            "amount": self.amount,
        }


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a match as recorded by its table; no reservation from a table created by an older release."""

    seat: int
    player: str
    reservation_id: UUID | None

    def row(self) -> Row:
        """Return the form that wallet.seats_matching compares."""
        reservation = None if self.reservation_id is None else str(self.reservation_id)
        return {"seat": self.seat, "player": self.player, "reservation_id": reservation}


@dataclass(frozen=True, slots=True)
class Playing:
    """The match is being played."""


@dataclass(frozen=True, slots=True)
class Won:
    """The match has a result: the winning seats in seat order, and 32 bytes."""

    winning_seats: tuple[int, ...]
    result_digest: bytes


@dataclass(frozen=True, slots=True)
class Aborted:
    """The match was aborted."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a match ended, according to its result record."""

    pot_id: UUID
    table_id: UUID
    how: Won | Aborted

    def row(self) -> Row:
        """Return the form that wallet.check_pots compares."""
        won = self.how if isinstance(self.how, Won) else Won((), b"")
        return {
            "pot": str(self.pot_id),
            "table": str(self.table_id),
            "winners": list(won.winning_seats),
            "digest": won.result_digest.hex(),
        }


Known = Playing | Won | Aborted
"""A table's state of its match."""


@dataclass(frozen=True, slots=True)
class Payout:
    """What a seat received from a pot."""

    seat: int
    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class Pot:
    """One game's stakes: `holds` while it is open or locked, `payouts` once it is over; in seat order.

    Times are in microseconds since 1970.
    """

    pot_id: UUID
    tenant: str
    state: PotState
    quote: Quote
    holds: tuple[Hold, ...]
    payouts: tuple[Payout, ...]
    fee_taken: int | None
    result_digest: bytes
    table_id: UUID | None
    refund_reason: str | None
    created_us: int
    locked_us: int | None
    closed_us: int | None

    @classmethod
    def read(cls, row: Row) -> Self:
        """Read an answer of wallet.describe_pot."""
        return cls(
            pot_id=UUID(row["pot_id"]),
            tenant=row["tenant"],
            state=PotState(row["state"]),
            quote=Quote.read(row["quote"]),
            holds=tuple(Hold.read(each) for each in row["holds"]),
            payouts=tuple(Payout(**each) for each in row["payouts"]),
            fee_taken=row["fee_taken"],
            result_digest=bytes.fromhex(row["result_digest"] or ""),
            table_id=UUID(row["table_id"]) if row["table_id"] else None,
            refund_reason=row["refund_reason"],
            created_us=row["created_us"],
            locked_us=row["locked_us"],
            closed_us=row["closed_us"],
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a player's statement; `created_us` is in microseconds since 1970."""

    journal_id: UUID
    sequence: int
    currency: str
    amount: int
    balance_after: int
    kind: JournalKind
    pot_id: UUID | None
    reference: str
    created_us: int

    @classmethod
    def read(cls, row: Row) -> Self:
        """Read an answer of wallet.describe_entry."""
        return cls(
            **{
                **row,
                "journal_id": UUID(row["journal_id"]),
                "kind": JournalKind(row["kind"]),
                "pot_id": UUID(row["pot_id"]) if row["pot_id"] else None,
            }
        )


@dataclass(frozen=True, slots=True)
class Operator:
    """The actor: the `sub` and the `tenant` of their token."""

    subject: str
    tenant: str


@dataclass(frozen=True, slots=True)
class Movement:
    """An operator's change to a player's balance.

    `amount` is positive, except for a correction, which is signed. A reference is unique per tenant and kind.
    """

    tenant: str
    player: str
    currency: str
    amount: int
    reference: str


@dataclass(frozen=True, slots=True)
class FeeTerms:
    """Basis points of the pot, and the minimum and maximum fee in minor units; None for no limit."""

    fee_bps: int
    fee_min: int
    fee_max: int | None


@dataclass(frozen=True, slots=True)
class FeeSchedule:
    """A version of a tenant's fees ("": for brands without their own); times in microseconds since 1970.

    `created_by` is empty if no operator set it.
    """

    version: int
    tenant: str
    fee_bps: int
    fee_min: int
    fee_max: int | None
    start_us: int
    created_us: int
    created_by: str


@dataclass(frozen=True, slots=True)
class OperatorAct:
    """An operator act; `created_us` is in microseconds since 1970."""

    act_id: int
    subject: str
    subject_tenant: str
    kind: str
    request_id: UUID
    tenant: str
    object: str
    reason: str
    journal_id: UUID | None
    created_us: int

    @classmethod
    def read(cls, row: Row) -> Self:
        """Read a row of an answer of wallet.operator_acts."""
        journal_id = UUID(row["journal_id"]) if row["journal_id"] else None
        return cls(**{**row, "request_id": UUID(row["request_id"]), "journal_id": journal_id})


@dataclass(frozen=True, slots=True)
class Balance:
    """A player's money in one currency: what can be staked, and what is in open or locked pots."""

    currency: str
    available: int
    in_pots: int


@dataclass(frozen=True, slots=True)
class TrialLine:
    """All accounts of one kind in one currency."""

    currency: str
    kind: str
    total: int
    accounts: int


@dataclass(frozen=True, slots=True)
class TrialBalance:
    """The whole ledger in one snapshot; `totals` by currency are zero in a sound one."""

    lines: tuple[TrialLine, ...]
    totals: Mapping[str, int]
    balanced: bool

    @classmethod
    def read(cls, row: Row) -> Self:
        """Read an answer of wallet.trial_balance."""
        return cls(
            lines=tuple(TrialLine(**each) for each in row["lines"]),
            totals={each["currency"]: each["total"] for each in row["totals"]},
            balanced=row["balanced"],
        )


@dataclass(frozen=True, slots=True)
class Position:
    """Position of the ledger's database: on one lineage, positions (bytes of its log) only grow."""

    lineage: str
    timeline: int
    flushed: int


@dataclass(frozen=True, slots=True)
class Recovery:
    """A comparison of pots and tables, required since the database went back in time; see docs/ledger.md.

    Times are in microseconds since 1970; `ended_us` is None while it is running. `ended_by`: the operator
    who ended it early, otherwise "".
    """

    recovery_id: int
    cause: str
    begun_us: int
    ended_us: int | None
    position: Position
    repaired: int
    unmatched: int
    ended_by: str

    @classmethod
    def read(cls, row: Row) -> Self:
        """Read an answer of wallet.describe_recovery."""
        return cls(**{**row, "position": Position(**row["position"])})


@dataclass(frozen=True, slots=True)
class Watched:
    """Values to monitor: zero or small in a sound ledger, or worth a look.

    `imbalance`: distance of the sum of all accounts from zero in minor units. `pending`: entries waiting for
    the roll-up. `stale_pots`: pots still open or locked a day after they were opened. `recoveries`: their
    number; `repaired` and `unmatched` are the sums of their counts. `open_since_restore`: open or locked pots
    from before the latest recovery.
    """

    imbalance: int
    pending: int
    stale_pots: int
    recoveries: int
    recovering: bool
    repaired: int
    unmatched: int
    open_since_restore: int
