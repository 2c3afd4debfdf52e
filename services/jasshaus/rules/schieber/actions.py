"""Pending decisions and legal actions: the same checks serve for offering an action and for judging it.

No answer here depends on a card that the asking seat does not see.
Source: docs/rules.md, Schieber and Legal cards.
"""

from __future__ import annotations

from jasshaus.rules.core.cards import HAND_SIZE, SEATS, Contract, cards_in, next_seat, side_of
from jasshaus.rules.core.decisions import LegalActions, Pending, PendingKind
from jasshaus.rules.core.options import ClaimWhen, Finish, WeisDeclaration
from jasshaus.rules.core.refusals import Reason
from jasshaus.rules.core.tricks import why_illegal
from jasshaus.rules.core.weis import Weis, best_declaration, candidates
from jasshaus.rules.schieber.match import Match, Phase


def pending(match: Match) -> tuple[Pending, ...]:
    """Return who must decide now: one decision, or up to four declarations; none when the match has ended."""
    match match.phase:
        case Phase.DEAL:
            return (Pending(None, PendingKind.DEAL),)
        case Phase.CONTRACT:
            return (Pending(match.chooser, PendingKind.CONTRACT),)
        case Phase.WEIS:
            order = (next_seat(match.forehand, steps) for steps in range(4))
            return tuple(Pending(seat, PendingKind.WEIS) for seat in order if match.declared[seat] is None)
        case Phase.PLAY:
            # Seats that may still declare may also just play: the decision must not depend on the hand.
            return (Pending(match.player, PendingKind.CARD),)
        case Phase.ENDED:
            return ()


def claimants(match: Match) -> tuple[int, ...]:
    """Return the seats that may claim now, whatever the score (docs/rules.md, End of the match)."""
    return tuple(seat for seat in SEATS if why_no_claim(match, seat) is None)


def legal_actions(match: Match, seat: int) -> LegalActions:
    """Return what a seat may do now."""
    chooses = why_not_to_choose(match, seat) is None
    weis = candidates(match.dealt[seat], match.rules) if why_no_weis(match, seat) is None else ()
    # Before the lead all are asked; at their own first card, only those who hold something to declare.
    declares = bool(weis) or (match.phase is Phase.WEIS and why_no_weis(match, seat) is None)
    refusals = {card: why_not_playable(match, seat, card) for card in cards_in(match.hands[seat])}
    return LegalActions(
        can_push=chooses and not match.pushed,
        contracts=tuple(Contract) if chooses else (),
        can_declare_weis=declares,
        weis=weis,
        weis_recommended=_recommended(match, seat) if declares else (),
        cards=tuple(card for card, reason in refusals.items() if reason is None),
        illegal={card: reason for card, reason in refusals.items() if reason is not None},
        can_claim=why_no_claim(match, seat) is None,
    )


def _recommended(match: Match, seat: int) -> tuple[Weis, ...]:
    return () if match.contract is None else best_declaration(match.dealt[seat], match.contract, match.rules)


def why_not_to_choose(match: Match, seat: int) -> Reason | None:
    """Return the reason why a seat may not name the contract now, or None."""
    if seat not in SEATS:
        return Reason.NO_SUCH_SEAT
    match match.phase:
        case Phase.ENDED:
            return Reason.MATCH_ENDED
        case Phase.DEAL:
            return Reason.DEAL_DUE
        case Phase.CONTRACT:
            return None if seat == match.chooser else Reason.NOT_YOUR_TURN
        case Phase.WEIS | Phase.PLAY:
            return Reason.CONTRACT_ALREADY_CHOSEN


def why_no_weis(match: Match, seat: int) -> Reason | None:
    """Return the reason why a seat may not declare now, whatever it would declare; or None."""
    before = _why_before_play(match, seat)
    if before is not None:
        return before
    if match.rules.weis_declaration is WeisDeclaration.AUTOMATIC:
        return Reason.WEIS_AUTOMATIC
    if match.tricks:
        return Reason.WEIS_TOO_LATE
    if match.declared[seat] is not None:
        return Reason.WEIS_ALREADY_DECLARED
    if match.phase is Phase.PLAY and seat != match.player:
        return Reason.NOT_YOUR_TURN
    return None


def why_not_playable(match: Match, seat: int, card: int) -> Reason | None:
    """Return the reason why a seat may not play a card now, or None."""
    before = _why_before_play(match, seat)
    if before is not None:
        return before
    if match.phase is Phase.WEIS:
        return Reason.WEIS_DUE
    if seat != match.player:
        return Reason.NOT_YOUR_TURN
    if match.contract is None:
        return Reason.CONTRACT_DUE
    return why_illegal(card, match.hands[seat], match.table, match.contract, match.rules.undertrump)


def why_no_claim(match: Match, seat: int) -> Reason | None:
    """Say why a seat may not claim now; never by the score, so that neither offer nor refusal tells it."""
    if seat not in SEATS:
        return Reason.NO_SUCH_SEAT
    if match.phase is Phase.ENDED:
        return Reason.MATCH_ENDED
    if match.rules.finish is not Finish.CLAIM:
        return Reason.CLAIM_NOT_PLAYED
    if match.phase is not Phase.PLAY or match.table or not 1 <= len(match.tricks) < HAND_SIZE:
        return Reason.CLAIM_NOT_NOW
    own = side_of(match.tricks[-1].winner) == side_of(seat)
    if match.rules.claim_when is ClaimWhen.OWN_TRICK and not own:
        return Reason.CLAIM_AFTER_OTHER_SIDES_TRICK
    return None


def _why_before_play(match: Match, seat: int) -> Reason | None:
    if seat not in SEATS:
        return Reason.NO_SUCH_SEAT
    match match.phase:
        case Phase.ENDED:
            return Reason.MATCH_ENDED
        case Phase.DEAL:
            return Reason.DEAL_DUE
        case Phase.CONTRACT:
            return Reason.CONTRACT_DUE
        case Phase.WEIS | Phase.PLAY:
            return None
