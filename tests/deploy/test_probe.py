"""The probe of the image against real servers."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from jasshaus.platform.probe import target_of


@pytest.fixture
def health_server():
    server = grpc.server(ThreadPoolExecutor(max_workers=2))
    servicer = health.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield servicer, port
    server.stop(grace=0).wait()


def probe(port: int, *arguments: str, variable: str = "JASSHAUS_LISTEN") -> tuple[int, str]:
    """Run the command as the image does; the address comes from the service's own variable."""
    ran = subprocess.run(
        [sys.executable, "-m", "jasshaus.platform.probe", *arguments],
        env={"JASSHAUS_LISTEN": "0.0.0.0:1", variable: f"0.0.0.0:{port}", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    return ran.returncode, ran.stdout.strip()


def test_exits_zero_while_serving(health_server):
    servicer, port = health_server
    servicer.set("", health_pb2.HealthCheckResponse.SERVING)
    assert probe(port) == (0, "SERVING")


def test_asks_where_health_has_a_server_of_its_own(health_server):
    servicer, port = health_server
    servicer.set("", health_pb2.HealthCheckResponse.SERVING)
    assert probe(port, variable="JASSHAUS_HEALTH_LISTEN") == (0, "SERVING")


def test_exits_one_while_draining(health_server):
    servicer, port = health_server
    servicer.enter_graceful_shutdown()
    assert probe(port) == (1, "NOT_SERVING")


def test_exits_one_for_a_service_the_server_does_not_have(health_server):
    _, port = health_server
    assert probe(port, "--service", "jasshaus.api.chess.v1.ChessService") == (1, "NOT_FOUND")


def test_exits_one_when_nobody_answers(health_server):
    _, port = health_server
    assert probe(port, "127.0.0.1:1") == (1, "UNAVAILABLE")


@pytest.mark.parametrize(
    ("listen", "target"),
    [
        ("0.0.0.0:50051", "127.0.0.1:50051"),
        ("[::]:50051", "[::1]:50051"),
        ("10.1.2.3:50051", "10.1.2.3:50051"),
        ("unix:/run/jasshaus.sock", "unix:/run/jasshaus.sock"),
    ],
)
def test_every_interface_is_asked_on_loopback(listen, target):
    assert target_of(listen) == target
