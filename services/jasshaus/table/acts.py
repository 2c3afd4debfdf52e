"""Records at the wallet what an operator is about to do at a table, so that one list has all their acts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID, uuid4, uuid5

import grpc
import structlog

from jasshaus.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from jasshaus.platform.calls import Undelivered, call
from jasshaus.platform.errors import Fault, unavailable

_MAX_REASON: Final = 256

log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Operator:
    """Who acts: the `sub` and the `tenant` of an operator's token."""

    subject: str
    tenant: str


class Acts:
    """Calls to the wallet's record of operators' acts."""

    def __init__(self, wallet: grpc.aio.Channel) -> None:
        self._stub = wallet_pb2_grpc.PotServiceStub(wallet)

    async def abort(self, operator: Operator, table_id: UUID, tenant: str, why: str) -> None:
        """Record that a match is about to be aborted, once however often it is asked for.

        Raises Fault WALLET_UNAVAILABLE: what is not recorded is not done.
        """
        # None of them has a line break. Without a table `tenant` is empty: another act.
        request_id = uuid5(table_id, f"abort\n{tenant}\n{operator.tenant}\n{operator.subject}\n{why}")
        await self._record(wallet_pb2.ACT_KIND_ABORT_TABLE, request_id, operator, table_id, tenant, why)

    async def reconcile(self, operator: Operator, table_id: UUID, tenant: str) -> None:
        """Record that a table is about to be compared with its pot. Raises Fault WALLET_UNAVAILABLE."""
        await self._record(wallet_pb2.ACT_KIND_RECONCILE_TABLE, uuid4(), operator, table_id, tenant, "")

    async def _record(
        self,
        kind: wallet_pb2.ActKind.ValueType,
        request_id: UUID,
        operator: Operator,
        table_id: UUID,
        tenant: str,
        why: str,
    ) -> None:
        request = wallet_pb2.RecordActRequest(
            request_id=str(request_id),
            kind=kind,
            subject=operator.subject,
            subject_tenant=operator.tenant,
            tenant=tenant,
            object=str(table_id),
            reason=why[:_MAX_REASON],
        )
        try:
            await call(self._stub.RecordAct, request)
        except (Undelivered, Fault) as lost:
            # An answer with a reason of another kind than "not now" is a bug that a retry does not mend.
            log.warning("act_unrecorded", table=str(table_id), by=operator.subject, why=_reason_of(lost))
            text = "the wallet, which records who does this and why, does not answer"
            raise unavailable("WALLET_UNAVAILABLE", text, retry_after=1.0) from lost


def _reason_of(lost: Undelivered | Fault) -> str:
    return lost.reason if isinstance(lost, Fault) else str(lost)
