"""Rule options, their ranges and the named presets; the only way to create a valid RuleSet.

Names and values are those of docs/rules.md, Rule sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from jasshaus.rules.core.cards import Contract, UnePoints
from jasshaus.rules.core.choices import (
    Announcements,
    ClaimWhen,
    Finish,
    FirstForehand,
    StoeckTiming,
    TieRoundEligible,
    Undertrump,
    Variant,
    WeisAward,
    WeisDeclaration,
    WeisTable,
    WeisTiebreak,
    WeisWhen,
)

__all__ = [
    "PRESETS",
    "Announcements",
    "ClaimWhen",
    "Finish",
    "FirstForehand",
    "OptionError",
    "RuleSet",
    "StoeckTiming",
    "TieRoundEligible",
    "Undertrump",
    "UnePoints",
    "Variant",
    "WeisAward",
    "WeisDeclaration",
    "WeisTable",
    "WeisTiebreak",
    "WeisWhen",
    "applicable",
    "rule_set",
]


class OptionError(ValueError):
    """Options that are out of range, foreign to the variant, or contradictory.

    `faults` lists all of them: the option (`multipliers.bells` for one of six) and its error.
    `field` and `text` are the first.
    """

    def __init__(self, field: str, text: str, *more: tuple[str, str]) -> None:
        """Store the option and its error, and those in `more`."""
        self.faults = ((field, text), *more)
        super().__init__("; ".join(f"{name}: {wrong}" for name, wrong in self.faults))
        self.field = field
        self.text = text


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Every option of a match, flat.

    An option that does not apply (see `applicable`) holds its inert value: None for a choice, 0 for a number,
    False for a switch, all ones for the multipliers. `schneider_below` is None for "none".
    """

    variant: Variant
    undertrump: Undertrump
    live_points: bool
    first_forehand: FirstForehand
    # Schieber
    target: int = 0
    schneider_below: int | None = None
    multipliers: tuple[int, ...] = (1, 1, 1, 1, 1, 1)  # in the order of Contract
    match_bonus: int = 0
    une_points: UnePoints | None = None
    four_nines: int = 0
    low_quartets: int = 0
    weis_table: WeisTable | None = None
    weis_declaration: WeisDeclaration | None = None
    weis_when: WeisWhen | None = None  # manual declaration only
    weis_award: WeisAward | None = None
    weis_tiebreak: WeisTiebreak | None = None
    weis_shared: bool = False
    weis_split_runs: bool = False
    weis_needs_trick: bool = False
    une_weis_reversed: bool = False
    stoeck_timing: StoeckTiming | None = None
    finish: Finish | None = None
    claim_when: ClaimWhen | None = None  # finish=claim only
    claim_counts_unplayed_stoeck: bool = False  # finish=claim only
    # Differenzler
    rounds: int = 0
    announcements: Announcements | None = None
    exact_bonus: int = 0
    tie_round_eligible: TieRoundEligible | None = None


_CLASSIC: Final = RuleSet(
    variant=Variant.SCHIEBER,
    undertrump=Undertrump.FORBIDDEN,
    live_points=False,
    first_forehand=FirstForehand.RANDOM,
    target=2500,
    schneider_below=None,
    multipliers=(1, 1, 2, 2, 3, 4),
    match_bonus=100,
    une_points=UnePoints.SIX11,
    four_nines=150,
    low_quartets=0,
    weis_table=WeisTable.SIMPLE,
    weis_declaration=WeisDeclaration.MANUAL,
    weis_when=WeisWhen.BEFORE_LEAD,
    weis_award=WeisAward.BEST_ONLY,
    weis_tiebreak=WeisTiebreak.KIND_RANK,
    weis_shared=False,
    weis_split_runs=False,
    weis_needs_trick=False,
    une_weis_reversed=True,
    stoeck_timing=StoeckTiming.END,
    finish=Finish.CLAIM,
    claim_when=ClaimWhen.OWN_TRICK,
    claim_counts_unplayed_stoeck=True,
)

_DIFFERENZLER: Final = RuleSet(
    variant=Variant.DIFFERENZLER,
    undertrump=Undertrump.ALLOWED,
    live_points=True,
    first_forehand=FirstForehand.RANDOM,
    rounds=4,
    announcements=Announcements.HIDDEN,
    exact_bonus=0,
    tie_round_eligible=TieRoundEligible.ALL,
)

#: The named presets of docs/rules.md, Rule sets.
PRESETS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {
        "schieber-classic": _CLASSIC,
        "schieber-3000": replace(
            _CLASSIC,
            target=3000,
            schneider_below=1500,
            une_points=UnePoints.ACE11,
            four_nines=0,
            weis_declaration=WeisDeclaration.AUTOMATIC,
            weis_when=None,
            weis_award=WeisAward.TEAM_ALL,
            weis_tiebreak=WeisTiebreak.KIND_LENGTH_RANK,
            stoeck_timing=StoeckTiming.SECOND_CARD,
            finish=Finish.AUTOMATIC,
            claim_when=None,
            claim_counts_unplayed_stoeck=False,
            live_points=True,
            first_forehand=FirstForehand.ROSE7,
        ),
        "schieber-partner": replace(
            _CLASSIC,
            target=1000,
            weis_when=WeisWhen.OWN_FIRST_CARD,
            weis_award=WeisAward.TEAM_ALL,
            stoeck_timing=StoeckTiming.SECOND_CARD,
            finish=Finish.AUTOMATIC,
            claim_when=None,
            claim_counts_unplayed_stoeck=False,
        ),
        "differenzler-classic": _DIFFERENZLER,
        "differenzler-swisslos": replace(_DIFFERENZLER, undertrump=Undertrump.VOID_ONLY),
    }
)

_COMMON: Final = frozenset({"undertrump", "live_points", "first_forehand"})
_DIFFERENZLER_ONLY: Final = frozenset({"rounds", "announcements", "exact_bonus", "tie_round_eligible"})
_SCHIEBER_ONLY: Final = frozenset(
    field.name for field in fields(RuleSet) if field.name not in _COMMON | _DIFFERENZLER_ONLY | {"variant"}
)
_CLAIM_ONLY: Final = frozenset({"claim_when", "claim_counts_unplayed_stoeck"})
_INERT: Final[Mapping[str, object]] = {
    "weis_when": None,
    "claim_when": None,
    "claim_counts_unplayed_stoeck": False,
}

_CHOICES: Final[Mapping[str, type[StrEnum]]] = {
    "undertrump": Undertrump,
    "first_forehand": FirstForehand,
    "une_points": UnePoints,
    "weis_table": WeisTable,
    "weis_declaration": WeisDeclaration,
    "weis_when": WeisWhen,
    "weis_award": WeisAward,
    "weis_tiebreak": WeisTiebreak,
    "stoeck_timing": StoeckTiming,
    "finish": Finish,
    "claim_when": ClaimWhen,
    "announcements": Announcements,
    "tie_round_eligible": TieRoundEligible,
}
_SWITCHES: Final = frozenset(
    {
        "live_points",
        "weis_shared",
        "weis_split_runs",
        "weis_needs_trick",
        "une_weis_reversed",
        "claim_counts_unplayed_stoeck",
    }
)
_NUMBERS: Final[Mapping[str, range | tuple[int, ...]]] = {
    "target": range(100, 10_001),
    "schneider_below": range(10_001),  # and at most the target
    "match_bonus": range(1_001),
    "four_nines": (0, 150),
    "low_quartets": (0, 100),
    "rounds": range(1, 13),
    "exact_bonus": (0, 10),
}
_SCHNEIDER_TEXT: Final = "from 0 (none) to the target"
_MULTIPLIER: Final = range(1, 11)


def applicable(rules: RuleSet) -> frozenset[str]:
    """Return the options that have a meaning under this rule set (for tables, views and catalogues)."""
    if rules.variant is Variant.DIFFERENZLER:
        return _COMMON | _DIFFERENZLER_ONLY
    names = _COMMON | _SCHIEBER_ONLY
    if rules.finish is Finish.AUTOMATIC:
        names -= _CLAIM_ONLY
    if rules.weis_declaration is WeisDeclaration.AUTOMATIC:
        names -= {"weis_when"}
    return names


def rule_set(preset: str, overrides: Mapping[str, object] | None = None) -> RuleSet:
    """Create a rule set from a preset's name and overrides.

    A choice is given as its enum member or text, `multipliers` as six ints in the order of Contract, no
    Schneider as None or 0. An option that depends on another one (`weis_when`, `claim_when`,
    `claim_counts_unplayed_stoeck`) follows it: inert where it has no meaning; as in schieber-classic if it
    gets one and is not given. So does `schneider_below` if it is not given and the preset's exceeds the
    target: it is then half the target, as in schieber-3000. Raises OptionError with all faulty options.
    """
    base = PRESETS.get(preset)
    if base is None:
        raise OptionError("preset", f"unknown; one of {', '.join(PRESETS)}")
    given: dict[str, Any] = {}
    faults: list[tuple[str, str]] = []
    for name, value in (overrides or {}).items():
        try:
            given[name] = _checked(base.variant, name, value)
        except OptionError as error:
            faults += error.faults
    _raise_if(faults)
    rules = replace(base, **given)
    if rules.variant is Variant.SCHIEBER:
        rules = _settle_dependents(base, rules, given)
    return rules


def _checked(variant: Variant, name: str, value: object) -> object:
    known = _COMMON | _SCHIEBER_ONLY | _DIFFERENZLER_ONLY
    if name not in known:
        raise OptionError(name, "unknown option")
    if name in (_DIFFERENZLER_ONLY if variant is Variant.SCHIEBER else _SCHIEBER_ONLY):
        raise OptionError(name, f"not an option of {variant}")
    if name == "multipliers":
        return _checked_multipliers(value)
    if name in _SWITCHES:
        if not isinstance(value, bool):
            raise OptionError(name, "true or false")
        return value
    if name in _CHOICES:
        try:
            return _CHOICES[name](str(value))
        except ValueError:
            raise OptionError(name, f"one of {', '.join(_CHOICES[name])}") from None
    if name == "schneider_below" and value is None:
        return None
    allowed = _NUMBERS[name]
    if not _is_number(value, allowed):
        raise OptionError(name, _SCHNEIDER_TEXT if name == "schneider_below" else _range_text(allowed))
    return None if name == "schneider_below" and value == 0 else value


def _checked_multipliers(value: object) -> tuple[int, ...]:
    items = tuple(value) if isinstance(value, (tuple, list)) else ()
    if len(items) != len(Contract):
        raise OptionError("multipliers", f"six numbers, each {_range_text(_MULTIPLIER)}")
    _raise_if(
        [
            (f"multipliers.{contract.name.lower()}", _range_text(_MULTIPLIER))
            for contract, item in zip(Contract, items, strict=True)
            if not _is_number(item, _MULTIPLIER)
        ]
    )
    return items


def _raise_if(faults: Sequence[tuple[str, str]]) -> None:
    if faults:
        (field, text), *more = faults
        raise OptionError(field, text, *more)


def _is_number(value: object, allowed: range | tuple[int, ...]) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in allowed


def _range_text(allowed: range | tuple[int, ...]) -> str:
    if isinstance(allowed, range):
        return f"from {allowed[0]} to {allowed[-1]}"
    return " or ".join(str(number) for number in allowed)


def _settle_dependents(base: RuleSet, rules: RuleSet, given: Mapping[str, object]) -> RuleSet:
    below: int | None = rules.schneider_below
    faults: list[tuple[str, str]] = []
    if below is not None and below > rules.target:
        if "schneider_below" in given:
            faults.append(("schneider_below", f"{_SCHNEIDER_TEXT}, {rules.target}"))
        below = rules.target // 2
    for name in sorted(frozenset(given) - applicable(rules)):
        cause = "weis_declaration" if name == "weis_when" else "finish"
        faults.append((name, f"has no meaning when {cause} is automatic"))
    _raise_if(faults)
    inert = _SCHIEBER_ONLY - applicable(rules)
    awakened = applicable(rules) - applicable(base) - frozenset(given)
    follow: dict[str, Any] = {name: _INERT[name] for name in inert}
    follow |= {name: getattr(_CLASSIC, name) for name in awakened}
    return replace(rules, schneider_below=below, **follow)
