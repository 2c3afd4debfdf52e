"""Chooses the rules of a demo: game, preset and options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jasshaus.rules.core.options import PRESETS, OptionError, RuleSet, Variant, rule_set

_FIRST: Final = {Variant.SCHIEBER: "schieber-classic", Variant.DIFFERENZLER: "differenzler-classic"}
_TARGET: Final = 1000


def choose_rules(
    variant: str | None, preset: str | None, options: Mapping[str, object]
) -> tuple[str, RuleSet]:
    """Return a preset's name and the rules; missing arguments follow from the others; options may be None.

    Raises OptionError, naming `variant`, `preset` or the option.
    """
    if preset is None:
        if variant is not None and variant not in list(Variant):
            raise OptionError("variant", f"unknown game {variant}; choose from {', '.join(Variant)}")
        preset = _FIRST[Variant(variant or Variant.SCHIEBER)]
    base = PRESETS.get(preset)
    if base is None or variant not in (None, base.variant):
        of = f"rule set of {variant}" if variant in list(Variant) else "rule set"
        names = (name for name, rules in PRESETS.items() if variant in (None, rules.variant))
        raise OptionError("preset", f"unknown {of} {preset}; choose from {', '.join(names) or 'none'}")
    given = {name: value for name, value in options.items() if value is not None}
    if base.variant is Variant.SCHIEBER:
        given.setdefault("target", _TARGET)
    return preset, rule_set(preset, given)


def described(preset: str, rules: RuleSet) -> str:
    """Describe the rules: "schieber-classic to 1000 points"."""
    if rules.variant is Variant.SCHIEBER:
        return f"{preset} to {rules.target} points"
    deals = "1 deal" if rules.rounds == 1 else f"{rules.rounds} deals"
    return f"{preset}, {deals}, {rules.announcements} announcements"
