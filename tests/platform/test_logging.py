"""What a log line looks like, in a process of its own: logging is set up once a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys

SCRIPT = """
import logging, sys
import structlog
from jasshaus.platform.logging import configure_logging
configure_logging("table", sys.argv[1], "info")
log = structlog.stdlib.get_logger("jasshaus.table")
structlog.contextvars.bind_contextvars(request_id="r1")
log.debug("unseen")
log.info("moved", seat=2, hand="the queen", seed="123")
logging.getLogger("grpc").warning("from %s", "elsewhere")
try:
    secret_local = "a secret local"
    raise ValueError("odd")
except ValueError:
    log.exception("broken")
"""


def output(form: str) -> str:
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, form], capture_output=True, text=True, env=environ, check=True
    )
    assert done.stdout == ""
    return done.stderr


def test_json_one_object_a_line() -> None:
    moved, foreign, broken = map(json.loads, output("json").splitlines())
    assert {key: moved[key] for key in ("event", "seat", "request_id", "service", "level", "logger")} == {
        "event": "moved",
        "seat": 2,
        "request_id": "r1",
        "service": "table",
        "level": "info",
        "logger": "jasshaus.table",
    }
    assert moved["timestamp"].endswith("Z")
    assert (moved["hand"], moved["seed"]) == ("[redacted]", "[redacted]")
    assert (foreign["event"], foreign["service"], foreign["level"]) == ("from elsewhere", "table", "warning")
    assert "ValueError: odd" in broken["exception"]
    assert "a secret local" not in json.dumps([broken["event"], broken.get("locals", "")])


def test_console_is_for_people() -> None:
    text = output("console")
    assert "moved" in text
    assert "the queen" not in text
    assert "ValueError: odd" in text
