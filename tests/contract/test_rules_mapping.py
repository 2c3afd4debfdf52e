"""The shared messages of the game say exactly what the rules say, both ways."""

from __future__ import annotations

import pytest

from jasshaus.api.common.v1 import card_pb2, rules_pb2
from jasshaus.contracts.rules import (
    card_from_proto,
    card_to_proto,
    contract_from_proto,
    contract_to_proto,
    overrides_from_proto,
    rule_set_from_proto,
    rule_set_to_proto,
    stored_rule_set,
)
from jasshaus.rules.core.cards import Contract
from jasshaus.rules.core.options import PRESETS, OptionError, applicable, rule_set


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_survives_the_wire(preset: str) -> None:
    message = rule_set_to_proto(PRESETS[preset], preset)
    read = rules_pb2.RuleSet.FromString(message.SerializeToString())
    assert rule_set_from_proto(read) == PRESETS[preset]
    assert read.preset == preset


@pytest.mark.parametrize("preset", PRESETS)
def test_exactly_the_applicable_options_are_set(preset: str) -> None:
    message = rule_set_to_proto(PRESETS[preset], preset)
    assert {field.name for field, _ in message.ListFields()} - {"preset", "variant"} == applicable(
        PRESETS[preset]
    )


def test_every_option_of_the_wire_is_one_of_the_rules() -> None:
    wire = {field.name for field in rules_pb2.RuleSet.DESCRIPTOR.fields} - {"preset", "variant"}
    assert wire == frozenset().union(*map(applicable, PRESETS.values()))


def test_overrides_name_only_what_is_set() -> None:
    base = PRESETS["schieber-classic"]
    message = rules_pb2.RuleSet(
        target=1500, schneider_below=0, weis_shared=True, multipliers=rules_pb2.Multipliers(bells=3)
    )
    given = overrides_from_proto(message, base)
    assert given == {
        "target": 1500,
        "schneider_below": None,
        "weis_shared": True,
        "multipliers": (1, 1, 2, 3, 3, 4),
    }
    assert rule_set("schieber-classic", given).target == 1500


@pytest.mark.parametrize("value", [0, 77])
def test_an_enum_not_given_or_unknown_is_left_to_the_rules_to_refuse(value: int) -> None:
    message = rules_pb2.RuleSet(finish=value, target=1)  # type: ignore[arg-type]
    given = overrides_from_proto(message, PRESETS["schieber-classic"])
    with pytest.raises(OptionError, match="finish: one of claim, automatic") as refused:
        rule_set("schieber-classic", given)
    assert {field for field, _ in refused.value.faults} == {"target", "finish"}


@pytest.mark.parametrize("field", ["variant", "target", "finish"])
def test_an_incomplete_rule_set_is_refused_by_name(field: str) -> None:
    message = rule_set_to_proto(PRESETS["schieber-classic"])
    message.ClearField(field)
    with pytest.raises(OptionError) as refused:
        rule_set_from_proto(message)
    assert refused.value.field == field


def test_everything_missing_is_named_at_once() -> None:
    message = rule_set_to_proto(PRESETS["schieber-classic"])
    message.ClearField("target")
    message.ClearField("finish")
    message.multipliers.ClearField("bells")
    with pytest.raises(OptionError) as refused:
        rule_set_from_proto(message)
    assert [field for field, _ in refused.value.faults] == ["finish", "target", "multipliers.bells"]


@pytest.mark.parametrize("preset", PRESETS)
def test_what_was_written_before_an_option_existed_is_still_read(preset: str) -> None:
    whole = rule_set_to_proto(PRESETS[preset], preset)
    for name in applicable(PRESETS[preset]):
        message = rules_pb2.RuleSet()
        message.CopyFrom(whole)
        message.ClearField(name)  # type: ignore[arg-type]
        assert stored_rule_set(message) == PRESETS[preset], name
    if whole.HasField("multipliers"):
        whole.multipliers.ClearField("bells")
        assert stored_rule_set(whole) == PRESETS[preset]


def test_what_is_stored_counts_more_than_the_preset() -> None:
    rules = rule_set("schieber-3000", {"target": 1000, "finish": "claim", "weis_declaration": "manual"})
    assert stored_rule_set(rule_set_to_proto(rules, "schieber-3000")) == rules
    # Without a name, or with one that is gone, what is missing is as in the variant's first preset.
    for preset in ("", "gone", "differenzler-classic"):
        message = rule_set_to_proto(rules, preset)
        message.ClearField("match_bonus")
        assert stored_rule_set(message) == rules


def test_a_stored_value_of_a_later_release_is_refused() -> None:
    message = rule_set_to_proto(PRESETS["schieber-classic"], "schieber-classic")
    message.finish = 77  # type: ignore[assignment]
    with pytest.raises(OptionError, match="finish"):
        stored_rule_set(message)


def test_cards_and_contracts_keep_their_names() -> None:
    assert card_pb2.Card.Name(card_to_proto(0)) == "CARD_ACORNS_SIX"
    assert card_pb2.Card.Name(card_to_proto(35)) == "CARD_BELLS_ACE"
    assert [card_from_proto(card_to_proto(card)) for card in range(36)] == list(range(36))
    for contract in Contract:
        assert card_pb2.Contract.Name(contract_to_proto(contract)) == f"CONTRACT_{contract.name}"
        assert contract_from_proto(contract_to_proto(contract)) is contract


@pytest.mark.parametrize("value", [0, 37, -1])
def test_no_card(value: int) -> None:
    with pytest.raises(ValueError, match="not a card"):
        card_from_proto(value)
