"""What released versions have stored is read by today's code as it was meant, and the other way round."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from upgrade import golden

RELEASES = sorted(folder for folder in (Path(__file__).parent / "released").iterdir() if folder.is_dir())
RECORDS = [
    pytest.param(line, id=f"{release.name} {golden.read(line).kind} {golden.read(line).name}")
    for release in RELEASES
    for line in (release / "records" / "records.jsonl").read_text().splitlines()
]
MESSAGES = {"table": "TableRecord", "bundle": "EventBundle", "result": "ResultRecord"}


def is_part_of(before: Any, now: Any) -> bool:
    """Whether all that was meant is still meant; more may be."""
    if isinstance(before, dict) and isinstance(now, dict):
        return all(key in now and is_part_of(value, now[key]) for key, value in before.items())
    if isinstance(before, list) and isinstance(now, list):
        return len(before) == len(now) and all(map(is_part_of, before, now))
    return bool(before == now)


@pytest.mark.parametrize("line", RECORDS)
def test_a_record_of_a_release_is_read_as_it_was_meant(line: str) -> None:
    record = golden.read(line)
    now = golden.meaning(record.kind, record.stored)
    assert is_part_of(record.means, now), now


def test_every_kind_of_record_is_in_the_sample() -> None:
    assert {record.kind for record in golden.records()} == set(golden.READERS)


def test_every_event_and_status_is_in_the_sample() -> None:
    made = list(golden.records())
    told = {
        kind
        for record in made
        if record.kind == "bundle"
        for event in (*record.means["shared"], *(each for own in record.means["own"] for each in own))
        for kind in event
    }
    known = {field.json_name for field in golden.EVENT.oneofs_by_name["event"].fields}
    # Presence is told by the view's difference; nobody claims in a match that stand-ins play.
    assert known - told == {"presenceChanged", "claimed"}
    statuses = {record.means["shared"]["status"] for record in made if record.kind == "table"}
    assert len(statuses) == 4


@pytest.mark.parametrize("release", RELEASES, ids=[release.name for release in RELEASES])
def test_after_a_rollback_the_release_knows_all_that_todays_code_stores(release: Path) -> None:
    """By the release's own contracts, and the formats it reads."""
    formats = json.loads((release / "records" / "formats.json").read_text())
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(
        (release / "records" / "contracts.binpb").read_bytes()
    ).file:
        pool.Add(file)
    for record in golden.records():
        if record.kind not in MESSAGES:
            continue
        name = f"jasshaus.api.internal.v1.{MESSAGES[record.kind]}"
        released = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
        stored = record.stored[golden.results.TIME_BYTES :] if record.kind == "result" else record.stored
        message = released.FromString(stored)
        assert message.format in formats[record.kind], record.name  # type: ignore[attr-defined]
        assert not list(unknown(message)), record.name


def unknown(message: Message) -> list[int]:
    """The numbers of fields, at any depth, that a contract does not have."""
    found = [field.field_number for field in UnknownFieldSet(message)]
    for field, value in message.ListFields():
        if field.message_type is not None:
            for each in value if field.is_repeated else [value]:
                found += unknown(each)
    return found
