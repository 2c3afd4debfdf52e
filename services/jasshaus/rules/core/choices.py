"""The options that are choices, with the value names of docs/rules.md, Rule sets."""

from __future__ import annotations

from enum import StrEnum


class Variant(StrEnum):
    """The game."""

    SCHIEBER = "schieber"
    DIFFERENZLER = "differenzler"


class Undertrump(StrEnum):
    """Whether a trick may be trumped below a trump already in it."""

    FORBIDDEN = "forbidden"
    ALLOWED = "allowed"
    VOID_ONLY = "void_only"


class WeisTable(StrEnum):
    """The points of runs of six or more cards."""

    SIMPLE = "simple"
    BIG = "big"


class WeisDeclaration(StrEnum):
    """Who declares Weis: the players, or the table for them."""

    MANUAL = "manual"
    AUTOMATIC = "automatic"


class WeisWhen(StrEnum):
    """When players declare."""

    BEFORE_LEAD = "before_lead"
    OWN_FIRST_CARD = "own_first_card"


class WeisAward(StrEnum):
    """What the side with the best Weis scores."""

    BEST_ONLY = "best_only"
    TEAM_ALL = "team_all"


class WeisTiebreak(StrEnum):
    """How Weis of equal points compare."""

    KIND_RANK = "kind_rank"
    KIND_LENGTH_RANK = "kind_length_rank"
    LENGTH_RANK = "length_rank"


class StoeckTiming(StrEnum):
    """When the Stöck is scored."""

    SECOND_CARD = "second_card"
    END = "end"


class Finish(StrEnum):
    """How a match ends within a deal."""

    CLAIM = "claim"
    AUTOMATIC = "automatic"


class ClaimWhen(StrEnum):
    """After whose trick a side may claim."""

    OWN_TRICK = "own_trick"
    ANY = "any"


class FirstForehand(StrEnum):
    """How forehand of the first deal is chosen."""

    RANDOM = "random"
    ROSE7 = "rose7"


class Announcements(StrEnum):
    """Whether Differenzler announcements are visible."""

    OPEN = "open"
    HIDDEN = "hidden"


class TieRoundEligible(StrEnum):
    """Who can win a tie round of a Differenzler."""

    ALL = "all"
    TIED_ONLY = "tied_only"
