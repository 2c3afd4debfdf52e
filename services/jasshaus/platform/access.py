"""The table of roles and the RPCs they may call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from jasshaus.platform.auth import Role

PLAYER: Final = Role.PLAYER
SERVICE: Final = Role.SERVICE
OPERATOR: Final = Role.OPERATOR
TENANT_ADMIN: Final = Role.TENANT_ADMIN

_SERVICES: Final[Mapping[str, Mapping[str, Iterable[Role]]]] = {
    "jasshaus.api.wallet.v1.WalletService": {
        "GetBalance": {PLAYER, OPERATOR},
        "ListEntries": {PLAYER, OPERATOR},
    },
    "jasshaus.api.wallet.v1.PotService": {
        "QuotePots": {SERVICE},
        "OpenPot": {SERVICE},
        "HoldStake": {SERVICE},
        "ReleaseStake": {SERVICE},
        "LockPot": {SERVICE},
        "SettlePot": {SERVICE},
        "RefundPot": {SERVICE},
        "GetPot": {SERVICE, OPERATOR},
        "ListPots": {SERVICE, OPERATOR},
        "ReconcilePot": {SERVICE},
        "CheckPots": {SERVICE},
        "RecordAct": {SERVICE},
    },
    "jasshaus.api.wallet.v1.RecoveryService": {
        "CheckLedger": {SERVICE},
        "EndRecovery": {SERVICE},
        "ForceEndRecovery": {OPERATOR},
        "ListRecoveries": {OPERATOR},
    },
    "jasshaus.api.wallet.v1.CashierService": {
        "Deposit": {OPERATOR},
        "Withdraw": {OPERATOR},
        "Correct": {OPERATOR},
        "SetFeeSchedule": {OPERATOR},
        "ListFeeSchedules": {OPERATOR},
        "ForceRefundPot": {OPERATOR},
        "ForceSettlePot": {OPERATOR},
        "ListOperatorActs": {OPERATOR},
        "TrialBalance": {OPERATOR},
    },
    "jasshaus.api.matchmaking.v1.LobbyService": {
        "GetCatalog": {PLAYER, OPERATOR, TENANT_ADMIN},
        "OpenGame": {PLAYER},
        "ListOpenGames": {PLAYER, OPERATOR, TENANT_ADMIN},
        "WatchLobby": {PLAYER, OPERATOR, TENANT_ADMIN},
        "JoinGame": {PLAYER},
        "LeaveGame": {PLAYER},
        "GetGame": {PLAYER, OPERATOR, TENANT_ADMIN},
    },
    "jasshaus.api.matchmaking.v1.HistoryService": {
        "ReportMatch": {SERVICE},
        "RestoreGame": {SERVICE},
        "CheckMatches": {SERVICE},
    },
    "jasshaus.api.matchmaking.v1.OperatorService": {
        "ListStuckPots": {OPERATOR},
    },
    "jasshaus.api.table.v1.TableService": {
        "CreateTable": {SERVICE},
        "GetTable": {PLAYER, SERVICE, OPERATOR},
        "Act": {PLAYER},
        "WatchTable": {PLAYER},
        "AbortTable": {OPERATOR, SERVICE},
        "GetResult": {SERVICE, OPERATOR},
        "ReconcileTable": {SERVICE, OPERATOR},
    },
}

ACCESS: Final[Mapping[str, frozenset[Role]]] = MappingProxyType(
    {
        f"/{service}/{method}": frozenset(roles)
        for service, methods in _SERVICES.items()
        for method, roles in methods.items()
    }
)
"""Full method names and the roles that may call them.

A method that is neither here nor in `OPEN` is refused to everybody.
"""

HEALTH_WATCH: Final = "/grpc.health.v1.Health/Watch"

OPEN: Final[frozenset[str]] = frozenset(
    {
        "/grpc.health.v1.Health/Check",
        "/grpc.health.v1.Health/List",
        HEALTH_WATCH,
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    }
)
"""Callable without a token, since probes and developers' tools have none."""


def methods_of(services: Iterable[str]) -> Iterator[str]:
    """Yield the full method names of these services (full service names), then the open ones."""
    prefixes = tuple(f"/{service}/" for service in services)
    yield from (method for method in ACCESS if method.startswith(prefixes))
    yield from sorted(OPEN)
