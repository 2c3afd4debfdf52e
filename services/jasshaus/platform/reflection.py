"""Serves gRPC reflection for the services that external callers may use, and their dependencies."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Final

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_reflection.v1alpha import reflection, reflection_pb2, reflection_pb2_grpc

from jasshaus.platform.access import ACCESS
from jasshaus.platform.auth import Role
from jasshaus.platform.errors import resource_exhausted

NAME: Final = reflection.SERVICE_NAME
MAX_REQUESTS: Final = 256
"""Per stream: a tool that lists everything sends fewer than a hundred."""

_RETRY_SECONDS: Final = 5.0

Request = reflection_pb2.ServerReflectionRequest
Response = reflection_pb2.ServerReflectionResponse


def add_reflection(services: Iterable[str], server: grpc.aio.Server) -> None:
    """Add the servicer for these services (full names) of a server."""
    servicer = _Servicer(public(services))
    reflection_pb2_grpc.add_ServerReflectionServicer_to_server(servicer, server)


def public(services: Iterable[str]) -> list[str]:
    """Return the services of which callers other than our own services may call something."""
    internal = {method.split("/")[1] for method in ACCESS} - {
        method.split("/")[1] for method, roles in ACCESS.items() if roles - {Role.SERVICE}
    }
    return sorted(set(services) - internal)


class _Servicer(reflection_pb2_grpc.ServerReflectionServicer):  # type: ignore[misc]
    """Replaces the library's servicer, which also exposes internal contracts from the process's pool.

    All answers are computed at startup; a request costs a lookup.
    """

    def __init__(self, services: Iterable[str]) -> None:
        self._services = tuple(services)
        pool = descriptor_pool.Default()
        found = {file.name: file for name in self._services for file in _with_imports(_file_of(pool, name))}
        own = {name for file in found.values() for name in _services_of(file)} - set(self._services)
        self._files = {
            name: [_serialized(each, own) for each in _with_imports(file)] for name, file in found.items()
        }
        self._file_of = {symbol: file.name for file in found.values() for symbol in _symbols(file)}
        for name in own:
            for symbol in [each for each in self._file_of if each == name or each.startswith(f"{name}.")]:
                del self._file_of[symbol]

    async def ServerReflectionInfo(  # noqa: N802 - the contract's name
        self, requests: AsyncIterator[Any], _context: Any
    ) -> AsyncIterator[Any]:
        count = 0
        async for request in requests:
            count += 1
            if count > MAX_REQUESTS:
                raise resource_exhausted("RATE_LIMITED", "too many requests", retry_after=_RETRY_SECONDS)
            yield self._answer(request)

    def _answer(self, request: Any) -> Any:
        match request.WhichOneof("message_request"):
            case "list_services":
                names = [reflection_pb2.ServiceResponse(name=name) for name in self._services]
                listed = reflection_pb2.ListServiceResponse(service=names)
                return Response(list_services_response=listed, original_request=request)
            case "file_by_filename":
                return self._file(request.file_by_filename, request)
            case "file_containing_symbol":
                return self._file(self._file_of.get(request.file_containing_symbol), request)
            case None:
                return _error(grpc.StatusCode.INVALID_ARGUMENT, request)
            case _:
                # Our contracts have no extensions.
                return _error(grpc.StatusCode.NOT_FOUND, request)

    def _file(self, name: str | None, request: Any) -> Any:
        files = self._files.get(name or "")
        if files is None:
            return _error(grpc.StatusCode.NOT_FOUND, request)
        response = reflection_pb2.FileDescriptorResponse(file_descriptor_proto=files)
        return Response(file_descriptor_response=response, original_request=request)


def _error(code: grpc.StatusCode, request: Any) -> Any:
    number, text = code.value
    error = reflection_pb2.ErrorResponse(error_code=number, error_message=text)
    return Response(error_response=error, original_request=request)


def _file_of(pool: Any, service: str) -> list[FileDescriptor]:
    try:
        return [pool.FindFileContainingSymbol(service)]
    except KeyError:
        # A service without a contract, which only tests have.
        return []


def _with_imports(files: FileDescriptor | list[FileDescriptor]) -> list[FileDescriptor]:
    waiting = files if isinstance(files, list) else [files]
    found: dict[str, FileDescriptor] = {}
    while waiting:
        file, *waiting = waiting
        if file.name not in found:
            found[file.name] = file
            waiting += file.dependencies
    return list(found.values())


def _services_of(file: FileDescriptor) -> list[str]:
    return [service.full_name for service in file.services_by_name.values()]


def _serialized(file: FileDescriptor, without: set[str]) -> bytes:
    proto = FileDescriptorProto()
    file.CopyToProto(proto)
    kept = [each for each in proto.service if f"{proto.package}.{each.name}" not in without]
    del proto.service[:]
    proto.service.extend(kept)
    return proto.SerializeToString()


def _symbols(file: FileDescriptor) -> Iterator[str]:
    for service in file.services_by_name.values():
        yield service.full_name
        yield from (method.full_name for method in service.methods)
    for enum in file.enum_types_by_name.values():
        yield enum.full_name
    waiting = list(file.message_types_by_name.values())
    while waiting:
        message = waiting.pop()
        yield message.full_name
        yield from (field.full_name for field in message.fields)
        yield from (enum.full_name for enum in message.enum_types)
        waiting += message.nested_types
