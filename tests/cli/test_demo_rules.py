from __future__ import annotations

import pytest

from jasshaus.cli.demo.rules import choose_rules, described
from jasshaus.rules.core.options import Announcements, OptionError, Variant


@pytest.mark.parametrize(
    ("variant", "preset", "options", "said"),
    [
        (None, None, {}, "schieber-classic to 1000 points"),
        ("schieber", "schieber-3000", {"target": 3000}, "schieber-3000 to 3000 points"),
        (None, "schieber-partner", {"target": None}, "schieber-partner to 1000 points"),
        ("differenzler", None, {}, "differenzler-classic, 4 deals, hidden announcements"),
        (
            None,
            "differenzler-swisslos",
            {"rounds": 1, "announcements": Announcements.OPEN},
            "differenzler-swisslos, 1 deal, open announcements",
        ),
    ],
)
def test_what_is_not_given_follows_from_the_rest(
    variant: str | None, preset: str | None, options: dict[str, object], said: str
) -> None:
    assert described(*choose_rules(variant, preset, options)) == said


def test_schneider_is_kept_below_a_nearer_target() -> None:
    assert choose_rules(None, "schieber-3000", {"target": 1000})[1].schneider_below == 500
    assert choose_rules(None, "schieber-3000", {"target": 2000})[1].schneider_below == 1500


@pytest.mark.parametrize(
    ("variant", "preset", "options", "field"),
    [
        ("skat", None, {}, "variant"),
        ("skat", "schieber-classic", {}, "preset"),
        (Variant.DIFFERENZLER, "schieber-classic", {}, "preset"),
        (None, "skat", {}, "preset"),
        (None, None, {"rounds": 4}, "rounds"),
        ("differenzler", None, {"target": 1000}, "target"),
    ],
)
def test_what_does_not_fit_is_named(
    variant: str | None, preset: str | None, options: dict[str, object], field: str
) -> None:
    with pytest.raises(OptionError) as refused:
        choose_rules(variant, preset, options)
    assert refused.value.field == field
