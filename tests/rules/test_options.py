"""Presets, overrides and what is refused among them."""

from __future__ import annotations

from dataclasses import fields

import pytest

from jasshaus.rules.core.options import (
    PRESETS,
    ClaimWhen,
    Finish,
    OptionError,
    RuleSet,
    Undertrump,
    Variant,
    WeisWhen,
    applicable,
    rule_set,
)


def test_the_five_presets():
    assert list(PRESETS) == [
        "schieber-classic",
        "schieber-3000",
        "schieber-partner",
        "differenzler-classic",
        "differenzler-swisslos",
    ]


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_valid_rule_set_and_survives_being_spelled_out(name):
    rules = rule_set(name)
    assert rules == PRESETS[name]
    spelled = {option: getattr(rules, option) for option in applicable(rules)}
    assert rule_set(name, spelled) == rules
    as_text = {option: str(value) if isinstance(value, str) else value for option, value in spelled.items()}
    assert rule_set(name, as_text) == rules


@pytest.mark.parametrize("name", PRESETS)
def test_an_option_that_does_not_apply_is_inert(name):
    rules = rule_set(name)
    for field in fields(RuleSet):
        if field.name not in applicable(rules) | {"variant"}:
            assert getattr(rules, field.name) in {None, 0, (1, 1, 1, 1, 1, 1)}


def test_single_options_go_over_a_preset():
    rules = rule_set(
        "schieber-classic", {"target": 1000, "multipliers": [1, 1, 1, 1, 1, 1], "undertrump": "allowed"}
    )
    assert (rules.target, rules.multipliers, rules.undertrump) == (1000, (1,) * 6, Undertrump.ALLOWED)
    assert rules.match_bonus == 100


def test_options_follow_the_one_they_depend_on():
    automatic = rule_set("schieber-classic", {"finish": "automatic", "weis_declaration": "automatic"})
    assert (automatic.claim_when, automatic.claim_counts_unplayed_stoeck, automatic.weis_when) == (
        None,
        False,
        None,
    )
    manual = rule_set("schieber-3000", {"finish": "claim", "weis_declaration": "manual", "claim_when": "any"})
    assert (manual.claim_when, manual.claim_counts_unplayed_stoeck) == (ClaimWhen.ANY, True)
    assert manual.weis_when is WeisWhen.BEFORE_LEAD
    assert manual.finish is Finish.CLAIM


def test_a_differenzler_is_described_whole():
    rules = rule_set("differenzler-swisslos", {"rounds": 12, "exact_bonus": 10, "announcements": "open"})
    assert rules.variant is Variant.DIFFERENZLER
    assert (rules.rounds, rules.exact_bonus, rules.undertrump) == (12, 10, Undertrump.VOID_ONLY)


@pytest.mark.parametrize(
    ("preset", "field", "value"),
    [
        ("schieber-classic", "target", 99),
        ("schieber-classic", "target", 10_001),
        ("schieber-classic", "target", True),
        ("schieber-classic", "target", "1000"),
        ("schieber-classic", "target", 1000.0),
        ("schieber-classic", "target", None),
        ("schieber-classic", "schneider_below", -1),
        ("schieber-classic", "schneider_below", False),
        ("schieber-classic", "schneider_below", 2501),
        ("schieber-classic", "match_bonus", -1),
        ("schieber-classic", "four_nines", 100),
        ("schieber-classic", "low_quartets", 150),
        ("schieber-classic", "multipliers", (1, 1, 2, 2, 3)),
        ("schieber-classic", "multipliers", 3),
        ("schieber-classic", "weis_tiebreak", "height"),
        ("schieber-classic", "weis_tiebreak", None),
        ("schieber-classic", "live_points", 1),
        ("schieber-classic", "rounds", 4),
        ("schieber-classic", "announcements", "open"),
        ("schieber-classic", "variant", "differenzler"),
        ("schieber-classic", "tarot", 1),
        ("differenzler-classic", "rounds", 0),
        ("differenzler-classic", "rounds", 13),
        ("differenzler-classic", "exact_bonus", 5),
        ("differenzler-classic", "target", 1000),
        ("differenzler-classic", "finish", "claim"),
        ("schieber-3000", "claim_when", "any"),
        ("schieber-3000", "claim_counts_unplayed_stoeck", True),
        ("schieber-3000", "weis_when", "before_lead"),
        ("schieber-partner", "claim_when", "own_trick"),
    ],
)
def test_a_bad_option_is_named(preset, field, value):
    with pytest.raises(OptionError) as refused:
        rule_set(preset, {field: value})
    assert refused.value.field == field
    assert refused.value.text in str(refused.value)


def test_an_unknown_preset_is_named():
    with pytest.raises(OptionError, match="preset"):
        rule_set("schieber-zürich")


def test_schneider_is_half_of_a_target_that_the_presets_does_not_fit():
    assert rule_set("schieber-3000", {"target": 1000}).schneider_below == 500
    assert rule_set("schieber-3000", {"target": 1500}).schneider_below == 1500
    assert rule_set("schieber-3000", {"target": 1000, "schneider_below": None}).schneider_below is None
    assert rule_set("schieber-3000", {"target": 1000, "schneider_below": 0}).schneider_below is None
    assert rule_set("schieber-3000", {"target": 1000, "schneider_below": 1000}).schneider_below == 1000


@pytest.mark.parametrize("below", [-1, 1001, 10_001])
def test_what_schneider_may_be_is_said_as_it_is(below):
    with pytest.raises(OptionError, match=r"schneider_below: from 0 \(none\) to the target"):
        rule_set("schieber-3000", {"target": 1000, "schneider_below": below})


def test_everything_wrong_is_named_at_once():
    with pytest.raises(OptionError) as refused:
        rule_set("schieber-classic", {"target": 99, "rounds": 4, "multipliers": (1, 0, 2, 2, 3, True)})
    assert [field for field, _ in refused.value.faults] == [
        "target",
        "rounds",
        "multipliers.roses",
        "multipliers.unenufe",
    ]
    assert (refused.value.field, refused.value.text) == refused.value.faults[0]
    with pytest.raises(OptionError) as refused:
        rule_set("schieber-3000", {"schneider_below": 3001, "claim_when": "any"})
    assert [field for field, _ in refused.value.faults] == ["schneider_below", "claim_when"]
