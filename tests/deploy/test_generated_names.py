"""What the contracts become in languages that have no packages, or that bring names of their own with them.

The generators' rules for names, worked out on the descriptors: no generator has to be installed. They were
compared with the files that protoc 33.4 writes for Java and Objective-C.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet
from grpc_tools import protoc

#: What each Java source sees without importing it (java.lang), beside what ends in Error or Exception.
JAVA_LANG = frozenset(
    """
    Appendable AutoCloseable Boolean Byte CharSequence Character Class ClassLoader ClassValue Cloneable
    Comparable Compiler Deprecated Double Enum Float FunctionalInterface InheritableThreadLocal Integer
    Iterable Long Math Module ModuleLayer Number Object Override Package Process ProcessBuilder ProcessHandle
    Readable Record Runnable Runtime RuntimePermission SafeVarargs ScopedValue SecurityManager Short
    StackTraceElement StackWalker StrictMath String StringBuffer StringBuilder StringTemplate SuppressWarnings
    System Thread ThreadDeath ThreadGroup ThreadLocal Throwable Void
    """.split()  # noqa: SIM905 - a list would be one name a line
)
#: The same for Swift's standard library and for what gRPC's stubs import.
SWIFT = frozenset({"Error", "Result", "Optional", "Array", "Set", "Character", "String", "Type", "Protocol"})


@pytest.fixture(scope="module")
def files(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[FileDescriptorProto]:
    """Every contract, as a generator gets it."""
    target = tmp_path_factory.mktemp("descriptors") / "set"
    paths = sorted(map(str, (root / "proto").rglob("*.proto")))
    done = protoc.main(
        [
            "protoc",
            f"--proto_path={root / 'proto'}",
            f"--proto_path={Path(protoc.__file__).parent / '_proto'}",
            f"--descriptor_set_out={target}",
            *paths,
        ]
    )
    assert done == 0
    found = FileDescriptorSet.FromString(target.read_bytes()).file
    assert len(found) == len(paths)
    return list(found)


def top_level(file: FileDescriptorProto) -> list[str]:
    return [each.name for group in (file.message_type, file.enum_type, file.service) for each in group]


def all_messages(messages: list[DescriptorProto]) -> Iterator[DescriptorProto]:
    for message in messages:
        yield message
        yield from all_messages(list(message.nested_type))


def java_classes(file: FileDescriptorProto) -> list[str]:
    """The classes that Java gets of a file, with java_multiple_files, and its stubs of gRPC."""
    stem = Path(file.name).stem
    outer = "".join(part.capitalize() for part in stem.split("_"))
    nested = {message.name for message in all_messages(list(file.message_type))}
    nested |= {each.name for message in all_messages(list(file.message_type)) for each in message.enum_type}
    if outer in nested | set(top_level(file)):
        outer += "OuterClass"
    messages = [each.name for each in file.message_type]
    services = [f"{each.name}Grpc" for each in file.service]
    enums = [each.name for each in file.enum_type]
    return [outer, *messages, *(f"{each}OrBuilder" for each in messages), *enums, *services]


def test_java_gets_a_class_a_file_in_packages_of_ours(files: list[FileDescriptorProto]) -> None:
    for file in files:
        assert file.options.java_multiple_files, file.name
        assert file.options.java_package == file.package, file.name
        assert not file.options.java_outer_classname, file.name


def test_no_class_in_java_hides_one_of_the_language(files: list[FileDescriptorProto]) -> None:
    """`import jasshaus.api.common.v1.*` must not make `Error` or `Object` another."""
    for file in files:
        for name in java_classes(file):
            assert name not in JAVA_LANG, (file.name, name)
            assert not re.search("(Error|Exception)$", name), (file.name, name)


def test_no_two_classes_of_a_java_package_are_one_file(files: list[FileDescriptorProto]) -> None:
    """Nor on a file system that does not tell capitals apart."""
    names = Counter((file.package, name.lower()) for file in files for name in java_classes(file))
    assert [name for name, count in names.items() if count > 1] == []


def test_objective_c_names_are_told_apart_by_a_prefix_a_package(files: list[FileDescriptorProto]) -> None:
    """It has one name space for a whole program; two letters are Apple's own."""
    prefixes = {(file.package, file.options.objc_class_prefix) for file in files}
    assert len(prefixes) == len({package for package, _ in prefixes})
    assert len(prefixes) == len({prefix for _, prefix in prefixes})
    assert all(re.fullmatch("[A-Z]{3,}", prefix) for _, prefix in prefixes)
    names = Counter(
        f"{file.options.objc_class_prefix}{name}"
        for file in files
        for name in [*top_level(file), f"{Path(file.name).stem.capitalize()}Root"]
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_swift_names_begin_with_a_prefix_a_package(files: list[FileDescriptorProto]) -> None:
    prefixes = {(file.package, file.options.swift_prefix) for file in files}
    assert len(prefixes) == len({package for package, _ in prefixes}) == len({each for _, each in prefixes})
    names = Counter(file.options.swift_prefix + name for file in files for name in top_level(file))
    assert [name for name, count in names.items() if count > 1] == []
    assert SWIFT.isdisjoint(names)


def test_go_finds_a_package_by_its_path(files: list[FileDescriptorProto]) -> None:
    packages = {}
    for file in files:
        path, _, name = file.options.go_package.partition(";")
        assert path == file.package.replace(".", "/"), file.name
        assert re.fullmatch("[a-z][a-z0-9]+", name), file.name
        packages.setdefault(name, set()).add(path)
    # A client imports several of them at once.
    assert all(len(paths) == 1 for paths in packages.values())
