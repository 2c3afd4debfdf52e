"""Reasons for refusing a command: the closed set, and the one exception that carries them.

A text refers only to the rule and to what the refused player may know, never to another hand.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Reason(StrEnum):
    """The rule a command broke."""

    MATCH_ENDED = "match_ended"
    NO_SUCH_SEAT = "no_such_seat"
    DEAL_NOT_DUE = "deal_not_due"
    DEAL_DUE = "deal_due"
    DECK_INVALID = "deck_invalid"
    FOREHAND_INVALID = "forehand_invalid"
    NOT_YOUR_TURN = "not_your_turn"
    CONTRACT_DUE = "contract_due"
    CONTRACT_ALREADY_CHOSEN = "contract_already_chosen"
    CANNOT_PUSH_BACK = "cannot_push_back"
    WEIS_AUTOMATIC = "weis_automatic"
    WEIS_DUE = "weis_due"
    WEIS_TOO_LATE = "weis_too_late"
    WEIS_ALREADY_DECLARED = "weis_already_declared"
    WEIS_NOT_A_COMBINATION = "weis_not_a_combination"
    WEIS_NOT_IN_HAND = "weis_not_in_hand"
    WEIS_SHARES_CARD = "weis_shares_card"
    WEIS_SPLITS_RUN = "weis_splits_run"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    MUST_FOLLOW_SUIT = "must_follow_suit"
    MUST_FOLLOW_TRUMP = "must_follow_trump"
    UNDERTRUMP = "undertrump"
    CLAIM_NOT_PLAYED = "claim_not_played"
    CLAIM_NOT_NOW = "claim_not_now"
    CLAIM_AFTER_OTHER_SIDES_TRICK = "claim_after_other_sides_trick"
    ACTION_NOT_PLAYED = "action_not_played"
    ANNOUNCEMENT_DUE = "announcement_due"
    ANNOUNCEMENT_ALREADY_MADE = "announcement_already_made"
    ANNOUNCEMENT_OUT_OF_RANGE = "announcement_out_of_range"


TEXTS: Final[dict[Reason, str]] = {
    Reason.MATCH_ENDED: "the match has ended",
    Reason.NO_SUCH_SEAT: "a seat is 0, 1, 2 or 3",
    Reason.DEAL_NOT_DUE: "a deal is being played",
    Reason.DEAL_DUE: "the cards have not been dealt",
    Reason.DECK_INVALID: "a deck must have each of the 36 cards once",
    Reason.FOREHAND_INVALID: "forehand must be given for a first deal drawn at random, and for no other",
    Reason.NOT_YOUR_TURN: "it is another seat's turn",
    Reason.CONTRACT_DUE: "the contract has not been chosen",
    Reason.CONTRACT_ALREADY_CHOSEN: "the contract has already been chosen",
    Reason.CANNOT_PUSH_BACK: "after a push the partner must choose",
    Reason.WEIS_AUTOMATIC: "Weis are declared automatically at this table",
    Reason.WEIS_DUE: "Weis must be declared first; an empty declaration counts",
    Reason.WEIS_TOO_LATE: "the time to declare Weis is over",
    Reason.WEIS_ALREADY_DECLARED: "a seat can declare its Weis only once",
    Reason.WEIS_NOT_A_COMBINATION: "that is not a Weis at this table",
    Reason.WEIS_NOT_IN_HAND: "a declared card is not in hand",
    Reason.WEIS_SHARES_CARD: "a card can belong to only one Weis",
    Reason.WEIS_SPLITS_RUN: "an unbroken sequence can be declared as only one run",
    Reason.CARD_NOT_IN_HAND: "that card is not in hand",
    Reason.MUST_FOLLOW_SUIT: "the led suit must be followed, or the trick trumped",
    Reason.MUST_FOLLOW_TRUMP: "trumps were led and must be followed",
    Reason.UNDERTRUMP: "that trump is below the highest trump in the trick",
    Reason.CLAIM_NOT_PLAYED: "at this table the match ends automatically when the target is reached",
    Reason.CLAIM_NOT_NOW: "a claim can only be made after tricks 1 to 8, before the next lead",
    Reason.CLAIM_AFTER_OTHER_SIDES_TRICK: "a claim can only be made after a trick of one's own side",
    Reason.ACTION_NOT_PLAYED: "this game has no such action",
    Reason.ANNOUNCEMENT_DUE: "points must be announced first",
    Reason.ANNOUNCEMENT_ALREADY_MADE: "a seat can announce only once per deal",
    Reason.ANNOUNCEMENT_OUT_OF_RANGE: "an announcement must be 0 to 157 points",
}


class RuleViolation(Exception):  # noqa: N818 - a refusal named in the game's terms, not an error of ours
    """A command that the rules do not allow; `reason` names the rule, `text` explains it."""

    def __init__(self, reason: Reason) -> None:
        """Store the reason; its text is fixed, so it cannot reveal anything secret."""
        super().__init__(TEXTS[reason])
        self.reason = reason
        self.text = TEXTS[reason]


def allow(reason: Reason | None) -> None:
    """Raise RuleViolation if there is a reason."""
    if reason is not None:
        raise RuleViolation(reason)
