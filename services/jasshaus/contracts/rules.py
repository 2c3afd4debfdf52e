"""Maps rule sets, cards and contracts between messages and the rules' values."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from jasshaus.api.common.v1 import card_pb2, rules_pb2
from jasshaus.rules.core.cards import DECK_SIZE, Contract
from jasshaus.rules.core.options import PRESETS, OptionError, RuleSet, Variant, applicable, rule_set

if TYPE_CHECKING:
    from google.protobuf.descriptor import EnumDescriptor

__all__ = [
    "card_from_proto",
    "card_to_proto",
    "contract_from_proto",
    "contract_to_proto",
    "overrides_from_proto",
    "rule_set_from_proto",
    "rule_set_to_proto",
    "stored_rule_set",
    "variant_from_proto",
    "variant_to_proto",
]

_OUTPUT_ONLY: Final = frozenset({"preset", "variant"})
_REQUIRED: Final = "is required"
_CONTRACTS: Final = tuple(contract.name.lower() for contract in Contract)

# A complete message is read over the variant's first preset, which then contributes nothing.
_BASES: Final = {Variant.SCHIEBER: "schieber-classic", Variant.DIFFERENZLER: "differenzler-classic"}


def rule_set_to_proto(rules: RuleSet, preset: str = "") -> rules_pb2.RuleSet:
    """Return the message with exactly the options set that have a meaning under these rules.

    `preset` is the name of the underlying preset, for people; only the options count.
    """
    message = rules_pb2.RuleSet(preset=preset, variant=variant_to_proto(rules.variant))
    for name in applicable(rules):
        value = getattr(rules, name)
        if name == "multipliers":
            for contract, multiplier in zip(_CONTRACTS, value, strict=True):
                setattr(message.multipliers, contract, multiplier)
        elif isinstance(value, StrEnum):
            enum = message.DESCRIPTOR.fields_by_name[name].enum_type
            assert enum is not None
            setattr(message, name, _number(enum, value))
        else:
            # Only schneider_below can be None: no Schneider, 0 on the wire.
            setattr(message, name, value or 0)
    return message


def rule_set_from_proto(message: rules_pb2.RuleSet) -> RuleSet:
    """Return the rules of a complete message: the variant and each of its options must be set.

    Raises OptionError naming the fields at fault.
    """
    variant = variant_from_proto(message.variant)
    base = rule_set(_BASES[variant])
    given = overrides_from_proto(message, base)
    rules = rule_set(_BASES[variant], given)
    missing = sorted(applicable(rules) - given.keys())
    if message.HasField("multipliers"):
        there = {field.name for field, _ in message.multipliers.ListFields()}
        missing += [f"multipliers.{name}" for name in _CONTRACTS if name not in there]
    if missing:
        first, *more = missing
        raise OptionError(first, _REQUIRED, *((name, _REQUIRED) for name in more))
    return rules


def stored_rule_set(message: rules_pb2.RuleSet) -> RuleSet:
    """Return the rules of a stored message, perhaps from before some of the options existed.

    Missing options are taken from the underlying preset, or the variant's first one: a new option
    must have the value there that describes what was played before. Raises OptionError for values
    unknown to this release, as from a later one.
    """
    variant = variant_from_proto(message.variant)
    start = PRESETS.get(message.preset)
    preset = message.preset if start is not None and start.variant is variant else _BASES[variant]
    return rule_set(preset, overrides_from_proto(message, PRESETS[preset]))


def overrides_from_proto(message: rules_pb2.RuleSet, base: RuleSet) -> dict[str, object]:
    """Return the set options by name, as `rule_set` takes them; unset multipliers are the base's.

    Values are not checked here: an unknown or unset enum is its number, which `rule_set` refuses.
    """
    given: dict[str, object] = {}
    for field, value in message.ListFields():
        if field.name in _OUTPUT_ONLY:
            continue
        if field.name == "multipliers":
            given["multipliers"] = tuple(
                getattr(value, contract) if value.HasField(contract) else base.multipliers[index]
                for index, contract in enumerate(_CONTRACTS)
            )
        elif field.enum_type is not None:
            given[field.name] = _text(field.enum_type, value) or value
        elif field.name == "schneider_below" and value == 0:
            given["schneider_below"] = None
        else:
            given[field.name] = value
    return given


def variant_to_proto(variant: Variant) -> rules_pb2.Variant.ValueType:
    """Return the wire's name of a game."""
    return rules_pb2.Variant.Value(f"VARIANT_{variant.name}")


def variant_from_proto(value: int) -> Variant:
    """Return the game. Raises OptionError for none or an unknown one."""
    variant = _text(rules_pb2.Variant.DESCRIPTOR, value)
    if variant is None:
        raise OptionError("variant", f"value {value} is not known" if value else _REQUIRED)
    return Variant(variant)


def card_to_proto(card: int) -> card_pb2.Card.ValueType:
    """Return the wire's number of a card 0..35 (suit * 9 + rank): one more."""
    assert 0 <= card < DECK_SIZE
    return card_pb2.Card.ValueType(card + 1)


def card_from_proto(value: int) -> int:
    """Return the card 0..35. Raises ValueError for none or an unknown one."""
    if not 1 <= value <= DECK_SIZE:
        raise ValueError("not a card")
    return value - 1


def contract_to_proto(contract: Contract) -> card_pb2.Contract.ValueType:
    """Return the wire's number of a contract: one more."""
    return card_pb2.Contract.ValueType(contract + 1)


def contract_from_proto(value: int) -> Contract:
    """Return the contract. Raises ValueError for none or an unknown one."""
    if not 1 <= value <= len(Contract):
        raise ValueError("not a contract")
    return Contract(value - 1)


def _prefix(enum: EnumDescriptor) -> str:
    # buf's STANDARD lint: value 0 is `<PREFIX>_UNSPECIFIED`.
    return enum.values_by_number[0].name.removesuffix("UNSPECIFIED")


def _number(enum: EnumDescriptor, value: StrEnum) -> int:
    return enum.values_by_name[_prefix(enum) + value.upper()].number


def _text(enum: EnumDescriptor, number: int) -> str | None:
    known = enum.values_by_number.get(number)
    if known is None or number == 0:
        return None
    return known.name.removeprefix(_prefix(enum)).lower()
