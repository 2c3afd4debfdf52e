"""A health probe as a program, for container engines without gRPC probes.

`python -m jasshaus.platform.probe` exits with 0 if the server on JASSHAUS_HEALTH_LISTEN (otherwise on
JASSHAUS_LISTEN, or at the given address) reports SERVING (grpc.health.v1), and with 1 otherwise.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from jasshaus.platform.config import PlatformConfig

_SECONDS: Final = 3.0
_ANY_ADDRESS: Final = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104 - listened on by others, not by us
_FIELDS: Final = PlatformConfig.__dataclass_fields__


def target_of(listen: str) -> str:
    """Return the address to connect to: loopback if the process listens on every interface."""
    host, colon, port = listen.rpartition(":")
    return _ANY_ADDRESS.get(host, host) + colon + port


def ask(target: str, service: str = "") -> str:
    """Return the status of the service ("": of the server), or the status code if the call fails."""
    with grpc.insecure_channel(target) as channel:
        request = health_pb2.HealthCheckRequest(service=service)
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(request, timeout=_SECONDS)
        except grpc.RpcError as error:
            return str(error.code().name)
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))


def main() -> None:
    """Check once, print the answer, and exit accordingly."""
    settings = [_FIELDS[name].metadata for name in ("health_listen", "listen")]
    listen = next(filter(None, (os.environ.get(each["env"]) for each in settings)), settings[1]["default"])
    parser = argparse.ArgumentParser("python -m jasshaus.platform.probe", description="Does it serve?")
    parser.add_argument("address", nargs="?", default=target_of(listen), help="default: %(default)s")
    parser.add_argument("--service", default="", help="a gRPC service's full name; default: the server")
    arguments = parser.parse_args()
    answer = ask(arguments.address, arguments.service)
    print(answer)  # noqa: T201 - this is a command
    sys.exit(0 if answer == "SERVING" else 1)


if __name__ == "__main__":
    main()
