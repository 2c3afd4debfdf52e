"""`jasshaus fees`, `recoveries` and `acts`: fee schedules, recoveries of the ledger, the audit trail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final
from uuid import uuid4

from rich import box
from rich.table import Table
from rich.text import Text

from jasshaus.api.wallet.v1.wallet_pb2 import (
    FeeSchedule,
    ForceEndRecoveryRequest,
    ListFeeSchedulesRequest,
    ListOperatorActsRequest,
    ListRecoveriesRequest,
    Recovery,
    SetFeeScheduleRequest,
)
from jasshaus.cli.operator.office import Office, Output, moment, plain
from jasshaus.cli.running import FAILED

_SHOWN: Final = 50


async def list_fees(office: Office, output: Output) -> int:
    """Print the fee schedules, newest first."""
    request = ListFeeSchedulesRequest(page_size=_SHOWN)
    schedules = (await office.wallet.call(office.cashier.ListFeeSchedules, request)).schedules
    rows = [_fee_row(each) for each in schedules]
    _print(output, ("version", "brand", "fee", "least", "most", "from", "set by"), rows)
    output.value([plain(each) for each in schedules])
    return 0


async def set_fee(
    office: Office, output: Output, tenant: str, bounds: tuple[int, int, int | None], start: datetime | None
) -> int:
    """Add a version (basis points, minimum, maximum in minor units), effective from `start` or now."""
    bps, least, most = bounds
    request = SetFeeScheduleRequest(
        request_id=str(uuid4()), tenant=tenant, fee_bps=bps, fee_min=least, fee_max=most
    )
    if start is not None:
        request.start_time.FromDatetime(start)
    schedule = (await office.wallet.call(office.cashier.SetFeeSchedule, request)).schedule
    output.value(plain(schedule))
    output.line(f"Version {schedule.version} is in force from {moment(schedule.start_time)}.")
    return 0


async def list_recoveries(office: Office, output: Output) -> int:
    """Print when the ledger was found at an earlier time, and what was repaired."""
    request = ListRecoveriesRequest(page_size=_SHOWN)
    recoveries = (await office.wallet.call(office.recovery.ListRecoveries, request)).recoveries
    rows = [
        (
            str(each.recovery_id),
            each.cause,
            moment(each.begin_time),
            _end(each),
            str(each.repaired),
            str(each.unmatched),
        )
        for each in recoveries
    ]
    _print(output, ("number", "noticed by", "from", "to", "pots repaired", "tables without a pot"), rows)
    output.value([plain(each) for each in recoveries])
    return 0


async def end_recovery(
    office: Office, output: Output, recovery_id: int, why: str, confirm: Callable[[str], bool]
) -> int:
    """End the running recovery before everything is compared: an operator's decision, recorded."""
    output.line("Not every table has been compared with its pot. If PostgreSQL went back in time, stakes")
    output.line(
        "from before that point can then be withdrawn, even those of matches that were paid after it."
    )
    ends = f"End recovery {recovery_id}" if recovery_id else "Stop waiting for a table service"
    if not confirm(f"{ends} anyway?"):
        return FAILED
    request = ForceEndRecoveryRequest(request_id=str(uuid4()), recovery_id=recovery_id, reason=why)
    recovery = (await office.wallet.call(office.recovery.ForceEndRecovery, request)).recovery
    output.value(plain(recovery))
    output.line(f"Recovery {recovery.recovery_id} ended at {moment(recovery.end_time)}.")
    return 0


def _end(recovery: Recovery) -> str:
    if not recovery.HasField("end_time"):
        return "running"
    by = f", by {recovery.ended_by}" if recovery.ended_by else ""
    return moment(recovery.end_time) + by


async def list_acts(office: Office, output: Output, subject: str) -> int:
    """Print operator acts, newest first."""
    request = ListOperatorActsRequest(page_size=_SHOWN, subject=subject)
    acts = (await office.wallet.call(office.cashier.ListOperatorActs, request)).acts
    rows = [
        (
            str(each.act_id),
            moment(each.create_time),
            f"{each.subject} ({each.subject_tenant})",
            each.kind,
            each.object,
            each.reason,
        )
        for each in acts
    ]
    _print(output, ("act", "when", "who", "what", "to", "because"), rows)
    output.value([plain(each) for each in acts])
    return 0


def _fee_row(schedule: FeeSchedule) -> tuple[str, ...]:
    return (
        str(schedule.version),
        schedule.tenant or "all others",
        f"{schedule.fee_bps / 100:g} %",
        str(schedule.fee_min),
        str(schedule.fee_max) if schedule.HasField("fee_max") else "none",
        moment(schedule.start_time),
        schedule.created_by or "initial setup",
    )


def _print(output: Output, names: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    if output.as_json:
        return
    if not rows:
        output.line("None.")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in names:
        table.add_column(name)
    for row in rows:
        table.add_row(*map(Text, row))
    output.console.print(table)
