"""Configures logging: JSON objects or console text, constant event names, bound fields."""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, Final

import structlog
from structlog.typing import Processor

FORMATS: Final = ("json", "console")
LEVELS: Final = ("debug", "info", "warning", "error")

# A safety net: if one of these is logged despite the rules, it is replaced by a mark that shows the attempt.
_NEVER: Final = frozenset(
    {"authorization", "card", "cards", "dsn", "hand", "hands", "password", "secret", "seed", "seeds", "token"}
)


def configure_logging(service: str, form: str = "json", level: str = "info") -> None:
    """Send structlog and the standard library's loggers to standard error in one format.

    Tracebacks show no locals.
    """
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.ExtraAdder(),
        _redact,
    ]
    final: list[Processor]
    if form == "json":
        final = [
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(sort_keys=False, ensure_ascii=False),
        ]
    else:
        final = [
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            )
        ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _name_service(service),
                *final,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # Logs at "info" what our own line about a migration already has.
    logging.getLogger("alembic").setLevel(logging.WARNING)


def _name_service(service: str) -> Processor:
    def add(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        event["service"] = service
        return event

    return add


def _redact(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name in _NEVER & event.keys():
        event[name] = "[redacted]"
    return event
