"""Shape checks of fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jasshaus.platform import validation
from jasshaus.platform.errors import Fault

UUID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"


def test_what_is_fine_comes_back() -> None:
    assert str(validation.uuid_field(UUID, "f")) == UUID
    assert str(validation.uuid_field(UUID.upper(), "f")) == UUID
    assert validation.required("text", "f") == "text"
    assert validation.optional_text("", "f") == ""
    assert validation.identifier("schieber-classic", "f") == "schieber-classic"
    assert validation.bounded_int(3, "f", low=0, high=3) == 3
    assert validation.known_enum(2, "f", {1, 2}) == 2
    assert [validation.page_size(size) for size in (0, 7, 9999)] == [50, 7, 200]


@pytest.mark.parametrize(
    "check",
    [
        lambda: validation.uuid_field("", "f"),
        lambda: validation.uuid_field(UUID.replace("-", ""), "f"),
        lambda: validation.uuid_field(UUID + "\n", "f"),
        lambda: validation.uuid_field("{" + UUID + "}", "f"),
        lambda: validation.required("", "f"),
        lambda: validation.required("x" * 300, "f"),
        lambda: validation.required("a\x00b", "f"),
        lambda: validation.identifier("", "f"),
        lambda: validation.identifier("a b", "f"),
        lambda: validation.identifier("-a", "f"),
        lambda: validation.identifier("ä", "f"),
        lambda: validation.bounded_int(-1, "f", low=0, high=3),
        lambda: validation.bounded_int(4, "f", low=0, high=3),
        lambda: validation.known_enum(0, "f", {1}),
        lambda: validation.known_enum(77, "f", {1}),
        lambda: validation.page_size(-1, "f"),
    ],
)
def test_what_is_not_names_the_field(check: Callable[[], Any]) -> None:
    with pytest.raises(Fault) as caught:
        check()
    assert caught.value.reason == "INVALID_FIELD"
    assert caught.value.violations[0][0] == "f"
