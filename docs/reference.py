"""Writes the API reference: a page for each package of the contracts, from the comments in the protos."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    ServiceDescriptorProto,
)

_OURS: Final = "jasshaus.api."
_INTERNAL: Final = "jasshaus.api.internal."
# Field numbers in descriptor.proto: where a comment's place is told by a path of them.
_MESSAGES, _ENUMS, _SERVICES = 4, 5, 6
_FIELDS, _NESTED, _NESTED_ENUMS, _METHODS, _VALUES = 2, 3, 4, 2, 2
_SCALARS: Final = {
    number: name.removeprefix("TYPE_").lower() for name, number in FieldDescriptorProto.Type.items()
}


def write(protos: Path, target: Path) -> None:
    """Write an index and a page a package into `target`; pages that are the same already are left alone."""
    target.mkdir(exist_ok=True)
    packages: dict[str, list[_File]] = {}
    for file in _read(protos):
        packages.setdefault(file.package, []).append(_File(file))
    names = sorted(packages)
    toctree = "\n".join(name.removeprefix(_OURS) for name in names)
    pages = {
        "index": "# API reference\n\nGenerated from the comments of the contracts in `proto/`. "
        "[How to call it](../protocol.md): tokens, repeating calls safely, errors, streams.\n\n"
        f"```{{toctree}}\n{toctree}\n```\n"
    }
    for name in names:
        files = packages[name]
        lines = [f"# {name.removeprefix(_OURS)}", "", f"Package `{name}`."]
        for part in ("services", "messages", "enums"):
            lines += [line for file in files for line in getattr(file, part)()]
        pages[name.removeprefix(_OURS)] = "\n".join(lines) + "\n"
    for name, text in pages.items():
        page = target / f"{name}.md"
        if not page.exists() or page.read_text() != text:
            page.write_text(text)


def _read(protos: Path) -> Iterator[FileDescriptorProto]:
    """Yield the public files with their comments, in the order of their names."""
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / "image"
        files = sorted(str(path.relative_to(protos)) for path in protos.rglob("*.proto"))
        command = [sys.executable, "-m", "grpc_tools.protoc", "--include_source_info", "-I", str(protos)]
        subprocess.run([*command, f"--descriptor_set_out={image}", *files], check=True)
        found = FileDescriptorSet.FromString(image.read_bytes()).file
    for file in found:
        if file.package.startswith(_OURS) and not file.package.startswith(_INTERNAL):
            yield file


class _File:
    """One proto file as lines of Markdown."""

    def __init__(self, file: FileDescriptorProto) -> None:
        self._file = file
        self._comments = {tuple(each.path): each.leading_comments for each in file.source_code_info.location}

    def services(self) -> Iterator[str]:
        for index, service in enumerate(self._file.service):
            yield from self._service(service, (_SERVICES, index))

    def messages(self) -> Iterator[str]:
        for index, message in enumerate(self._file.message_type):
            yield from self._message(message, self._file.package, (_MESSAGES, index))

    def enums(self) -> Iterator[str]:
        for index, enum in enumerate(self._file.enum_type):
            yield from self._enum(enum, self._file.package, (_ENUMS, index))

    def _service(self, service: ServiceDescriptorProto, path: tuple[int, ...]) -> Iterator[str]:
        yield from _heading(2, f"{self._file.package}.{service.name}", service.name)
        yield from self._text(path)
        for index, method in enumerate(service.method):
            yield from _heading(3, f"{self._file.package}.{service.name}.{method.name}", method.name)
            yield _signature(method)
            yield ""
            yield from self._text((*path, _METHODS, index))

    def _message(self, message: DescriptorProto, scope: str, path: tuple[int, ...]) -> Iterator[str]:
        name = f"{scope}.{message.name}"
        yield from _heading(2, name, name.removeprefix(f"{self._file.package}."))
        yield from self._text(path)
        if message.field:
            rows = [
                (f"`{field.name}`", str(field.number), _type(field), self._cell((*path, _FIELDS, index)))
                for index, field in enumerate(message.field)
            ]
            yield from _table(("Field", "Number", "Type", "Meaning"), rows)
        for index, nested in enumerate(message.nested_type):
            yield from self._message(nested, name, (*path, _NESTED, index))
        for index, enum in enumerate(message.enum_type):
            yield from self._enum(enum, name, (*path, _NESTED_ENUMS, index))

    def _enum(self, enum: EnumDescriptorProto, scope: str, path: tuple[int, ...]) -> Iterator[str]:
        name = f"{scope}.{enum.name}"
        yield from _heading(2, name, name.removeprefix(f"{self._file.package}."))
        yield from self._text(path)
        rows = [
            (f"`{value.name}`", str(value.number), self._cell((*path, _VALUES, index)))
            for index, value in enumerate(enum.value)
        ]
        yield from _table(("Value", "Number", "Meaning"), rows)

    def _text(self, path: tuple[int, ...]) -> Iterator[str]:
        lines = [line.removeprefix(" ") for line in self._comments.get(path, "").splitlines()]
        yield from (*lines, "")

    def _cell(self, path: tuple[int, ...]) -> str:
        return " ".join(self._comments.get(path, "").split()).replace("|", "\\|")


def _heading(level: int, target: str, title: str) -> tuple[str, ...]:
    return "", f"({_target(target)})=", f"{'#' * level} {title}", ""


def _target(name: str) -> str:
    return name.strip(".").removeprefix(_OURS).replace(".", "-").lower()


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _signature(method: MethodDescriptorProto) -> str:
    request, response = _link(method.input_type), _link(method.output_type)
    sends = "stream of " if method.client_streaming else ""
    returns = "stream of " if method.server_streaming else ""
    return f"{sends}{request} → {returns}{response}"


def _type(field: FieldDescriptorProto) -> str:
    name = _link(field.type_name) if field.type_name else _SCALARS[field.type]
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"list of {name}"
    return f"{name}, optional" if field.proto3_optional else name


def _link(name: str) -> str:
    plain = name.strip(".")
    short = plain.rpartition(".")[2]
    return f"[{short}](#{_target(plain)})" if plain.startswith(_OURS) else f"`{plain}`"
