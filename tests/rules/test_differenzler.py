"""The course of a Differenzler match, rule by rule, on hands laid out for the purpose."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jasshaus.rules.core.cards import Contract
from jasshaus.rules.core.options import rule_set
from jasshaus.rules.differenzler import (
    Announce,
    Announced,
    CardPlayed,
    Match,
    PenaltiesScored,
    Pending,
    PendingKind,
    Phase,
    PlayCard,
    Reason,
    RoundsEnded,
    StartDeal,
    Trick,
    TrickWon,
    decide,
    legal_actions,
    new_match,
    pending,
    points_made,
    replay,
)
from jasshaus.rules.differenzler import scoring as penalties
from rules.layouts import SUITS_APART, card, cards, deck_of, hand, refusal, run


def started(deck: tuple[int, ...] = SUITS_APART, **options: object) -> Match:
    return run(new_match(rule_set("differenzler-classic", options)), StartDeal(deck, 0))


def playing(deck: tuple[int, ...] = SUITS_APART, **options: object) -> Match:
    """Start a deal with forehand 0 and everybody announcing 40, ready for the first lead."""
    return run(started(deck, **options), *(Announce(seat, 40) for seat in range(4)))


def play_round(match: Match, *texts: str) -> Match:
    for text in texts:
        match = run(match, PlayCard(match.player, card(text)))
    return match


def scored(
    totals: tuple[int, ...], deal: int = 4, contenders: tuple[int, ...] = (0, 1, 2, 3), **options: object
) -> Match:
    """Stand after a counted deal with these totals."""
    fresh = new_match(rule_set("differenzler-classic", options))
    match = replace(fresh, phase=Phase.DEAL, deal=deal, totals=totals, contenders=contenders, forehand=0)
    return replace(match, contenders=penalties.contenders_after(match))


# Dealing


def test_the_dealers_last_card_is_trumps_and_shown_with_the_deal():
    (event,) = decide(new_match(rule_set("differenzler-classic")), StartDeal(SUITS_APART, 0))
    assert (event.trump_card, event.dealer, event.forehand) == (card("BA"), 3, 0)
    match = started()
    assert (match.contract, match.trump_holder) == (Contract.BELLS, 3)


@pytest.mark.parametrize("forehand", range(4))
def test_the_trump_card_lies_with_the_dealer_wherever_the_deal_begins(forehand):
    match = run(new_match(rule_set("differenzler-classic")), StartDeal(SUITS_APART, forehand))
    assert match.trump_holder == match.dealer == (forehand + 3) % 4


def test_under_rose7_the_trump_card_is_the_36th_whoever_counts_as_dealer():
    match = run(
        new_match(rule_set("differenzler-classic", {"first_forehand": "rose7"})), StartDeal(SUITS_APART)
    )
    assert (match.forehand, match.dealer, match.trump_card, match.trump_holder) == (1, 0, card("BA"), 3)


def test_dealing_passes_on_and_a_new_deal_forgets_the_last_one():
    match = scored((10, 20, 30, 40), deal=1)
    match = run(match, StartDeal(SUITS_APART))
    assert (match.forehand, match.deal, match.announced, match.tricks) == (1, 2, (None,) * 4, ())
    assert match.totals == (10, 20, 30, 40)


# Announcements


def test_hidden_announcements_are_made_in_any_order():
    match = run(started(), Announce(2, 0), Announce(0, 157))
    assert pending(match) == (Pending(1, PendingKind.ANNOUNCEMENT), Pending(3, PendingKind.ANNOUNCEMENT))
    match = run(match, Announce(3, 80), Announce(1, 7))
    assert pending(match) == (Pending(0, PendingKind.CARD),)
    assert match.announced == (157, 7, 0, 80)


def test_open_announcements_go_from_forehand_on():
    match = run(
        new_match(rule_set("differenzler-classic", {"announcements": "open"})), StartDeal(SUITS_APART, 2)
    )
    for seat in (2, 3, 0, 1):
        assert pending(match) == (Pending(seat, PendingKind.ANNOUNCEMENT),)
        assert [legal_actions(match, each).can_announce for each in range(4)] == [
            each == seat for each in range(4)
        ]
        match = run(match, Announce(seat, 10))
    assert match.phase is Phase.PLAY


@pytest.mark.parametrize(("option", "hidden"), [("open", False), ("hidden", True)])
def test_an_announcement_says_whether_it_is_hidden(option, hidden):
    events = decide(started(announcements=option), Announce(0, 50))
    assert events == (Announced(0, 50, hidden=hidden),)


@pytest.mark.parametrize("points", [0, 1, 156, 157])
def test_from_0_to_157_points_are_announced(points):
    assert run(started(), Announce(0, points)).announced[0] == points


# Tricks


def test_forehand_leads_and_the_winner_leads_on():
    match = play_round(playing(), "EA", "RA", "SA", "B6")
    assert (match.leader, match.tricks) == (3, (Trick(0, cards("EA RA SA B6"), 3, 33),))
    assert points_made(match) == (0, 0, 0, 33)


@pytest.mark.parametrize("live", [True, False])
def test_the_points_of_a_trick_are_told_with_live_points_only(live):
    match = play_round(playing(live_points=live), "EA", "RA", "SA")
    events = decide(match, PlayCard(3, card("B6")))
    assert events == (CardPlayed(3, card("B6")), TrickWon(3, 1, 33 if live else None))
    assert points_made(replay(match, events)) == (0, 0, 0, 33)


UNDERTRUMPED = deck_of(
    [
        "R7 R8 R9 E6 E7 E8 S6 S7 S8",
        "BO BU E9 ET EU EO S9 ST SU",
        "RK R6 B6 BA SO B8 SK SA EK",
        "RT RU RO RA EA B7 BT B9 BK",
    ]
)


@pytest.mark.parametrize(
    ("undertrump", "following", "void"),
    [
        ("allowed", "RK R6 B6 BA B8", "EA B7 BT BK B9"),
        ("void_only", "RK R6 BA", "EA B7 BT BK B9"),
        ("forbidden", "RK R6 BA", "EA BK B9"),
    ],
)
def test_trumps_allowed_above_a_trump_on_the_table(undertrump, following, void):
    match = play_round(playing(UNDERTRUMPED, undertrump=undertrump), "R7", "BO")
    assert set(legal_actions(match, 2).cards) == set(cards(following))
    # The same trick before a seat that is void in roses.
    hands = list(match.hands)
    hands[2] = hand("EA B7 BT BK B9")
    other = replace(match, hands=tuple(hands))
    assert set(legal_actions(other, 2).cards) == set(cards(void))


def test_a_trump_below_is_refused_by_name():
    match = play_round(playing(UNDERTRUMPED, undertrump="void_only"), "R7", "BO")
    assert legal_actions(match, 2).illegal[card("B6")] is Reason.UNDERTRUMP


# Penalties


def whole_deal(match: Match) -> list[object]:
    events: list[object] = []
    while match.phase is Phase.PLAY:
        answer = decide(match, PlayCard(match.player, legal_actions(match, match.player).cards[0]))
        match = replay(match, answer)
        events += answer
    return events


def test_all_tricks_are_157_points_and_no_more():
    match = run(started(), *(Announce(seat, points) for seat, points in enumerate((0, 5, 7, 150))))
    assert whole_deal(match)[-1] == PenaltiesScored(
        deal=1,
        announced=(0, 5, 7, 150),
        made=(0, 0, 0, 157),
        penalties=(0, 5, 7, 7),
        totals=(0, 5, 7, 7),
    )


@pytest.mark.parametrize(
    ("announced", "made", "bonus", "expected"),
    [
        (40, 71, 0, 31),
        (71, 40, 0, 31),
        (157, 0, 0, 157),
        (0, 157, 10, 157),
        (40, 40, 0, 0),
        (40, 40, 10, -10),
        (157, 157, 10, -10),
        (0, 0, 10, 0),
        (1, 1, 10, -10),
    ],
)
def test_penalty(announced, made, bonus, expected):
    assert penalties.penalty(announced, made, bonus) == expected


def test_a_total_may_go_below_zero():
    match = run(started(exact_bonus=10), *(Announce(seat, 157) for seat in range(4)))
    assert whole_deal(match)[-1].totals == (157, 157, 157, -10)


# The end of a match


def test_the_least_total_after_the_last_round_wins():
    match = run(started(rounds=1), *(Announce(seat, seat + 7) for seat in range(4)))
    assert whole_deal(match)[-1] == RoundsEnded(0, (7, 8, 9, 147))
    assert penalties.ending_after_deal(scored((50, 40, 41, 90))) == RoundsEnded(1, (50, 40, 41, 90))


@pytest.mark.parametrize("deal", [1, 2, 3])
def test_before_the_last_round_nobody_has_won(deal):
    assert penalties.ending_after_deal(scored((50, 40, 41, 90), deal=deal)) is None


def test_a_tie_that_is_not_for_least_decides_nothing():
    assert penalties.ending_after_deal(scored((50, 40, 50, 90))).winner == 1


def test_a_tie_for_least_means_one_more_deal_for_all():
    match = scored((50, 40, 40, 90))
    assert penalties.ending_after_deal(match) is None
    assert pending(match) == (Pending(None, PendingKind.DEAL),)
    match = run(match, StartDeal(SUITS_APART))
    assert len(pending(match)) == 4


@pytest.mark.parametrize(("eligible", "winner"), [("all", 0), ("tied_only", 2)])
def test_who_can_win_a_tie_round(eligible, winner):
    tied = scored((50, 40, 40, 90), tie_round_eligible=eligible)
    after = replace(tied, deal=5, totals=(51, 60, 55, 91))
    assert penalties.ending_after_deal(after).winner == winner


def test_tied_only_narrows_with_each_tie():
    first = scored((40, 40, 40, 90), tie_round_eligible="tied_only")
    assert first.contenders == (0, 1, 2)
    second = scored((50, 55, 50, 90), deal=5, contenders=first.contenders, tie_round_eligible="tied_only")
    assert second.contenders == (0, 2)
    third = replace(second, deal=6, totals=(60, 56, 61, 95))
    assert penalties.ending_after_deal(third) == RoundsEnded(0, (60, 56, 61, 95))


def test_in_a_tie_of_all_four_all_can_win_either_way():
    for eligible in ("all", "tied_only"):
        assert scored((7, 7, 7, 7), tie_round_eligible=eligible).contenders == (0, 1, 2, 3)


def test_a_whole_match_goes_on_through_its_ties():
    # Everybody announces 0; the dealer, another one each time, holds all trumps and makes 157.
    match = new_match(rule_set("differenzler-classic", {"rounds": 1}))
    for forehand, totals in ((0, (0, 0, 0, 157)), (None, (157, 0, 0, 157)), (None, (157, 157, 0, 157))):
        assert match.outcome is None
        match = run(match, StartDeal(SUITS_APART, forehand), *(Announce(seat, 0) for seat in range(4)))
        match = replay(match, whole_deal(match))
        assert match.totals == totals
    assert match.outcome == RoundsEnded(2, (157, 157, 0, 157))


# Every refusal

ENDED = replace(scored((1, 2, 3, 4)), phase=Phase.ENDED, outcome=RoundsEnded(0, (1, 2, 3, 4)))
FRESH = new_match(rule_set("differenzler-classic"))
OPEN = started(announcements="open")

REFUSALS = [
    (Reason.MATCH_ENDED, ENDED, PlayCard(0, 0)),
    (Reason.MATCH_ENDED, ENDED, StartDeal(SUITS_APART)),
    (Reason.MATCH_ENDED, ENDED, Announce(0, 1)),
    (Reason.NO_SUCH_SEAT, started(), Announce(4, 1)),
    (Reason.NO_SUCH_SEAT, playing(), PlayCard(-1, 0)),
    (Reason.DEAL_NOT_DUE, started(), StartDeal(SUITS_APART)),
    (Reason.DEAL_DUE, FRESH, Announce(0, 1)),
    (Reason.DEAL_DUE, FRESH, PlayCard(0, 0)),
    (Reason.DECK_INVALID, FRESH, StartDeal(SUITS_APART[:35], 0)),
    (Reason.FOREHAND_INVALID, FRESH, StartDeal(SUITS_APART)),
    (Reason.FOREHAND_INVALID, scored((1, 2, 3, 4), deal=1), StartDeal(SUITS_APART, 1)),
    (Reason.NOT_YOUR_TURN, OPEN, Announce(1, 1)),
    (Reason.NOT_YOUR_TURN, playing(), PlayCard(1, card("R6"))),
    (Reason.ANNOUNCEMENT_DUE, started(), PlayCard(0, card("E6"))),
    (Reason.ANNOUNCEMENT_DUE, OPEN, PlayCard(0, card("E6"))),
    (Reason.ANNOUNCEMENT_ALREADY_MADE, run(started(), Announce(0, 1)), Announce(0, 2)),
    (Reason.ANNOUNCEMENT_ALREADY_MADE, playing(), Announce(0, 2)),
    (Reason.ANNOUNCEMENT_OUT_OF_RANGE, started(), Announce(0, -1)),
    (Reason.ANNOUNCEMENT_OUT_OF_RANGE, started(), Announce(0, 158)),
    (Reason.CARD_NOT_IN_HAND, playing(), PlayCard(0, card("R6"))),
    (Reason.MUST_FOLLOW_SUIT, play_round(playing(UNDERTRUMPED), "R7", "BO"), PlayCard(2, card("SA"))),
    (
        Reason.MUST_FOLLOW_TRUMP,
        play_round(playing(UNDERTRUMPED), "R7", "BO", "R6", "RT", "BU"),
        PlayCard(2, card("SA")),
    ),
    (
        Reason.UNDERTRUMP,
        play_round(playing(UNDERTRUMPED, undertrump="forbidden"), "R7", "BO"),
        PlayCard(2, card("B6")),
    ),
]


@pytest.mark.parametrize(("reason", "match", "command"), REFUSALS)
def test_refusal(reason, match, command):
    assert refusal(match, command) is reason


def test_every_reason_a_differenzler_knows_is_refused_above():
    of_schieber = ("contract", "cannot_push", "weis", "claim")
    known = {reason for reason in Reason if not reason.startswith(of_schieber)}
    assert {reason for reason, _, _ in REFUSALS} == known - {Reason.ACTION_NOT_PLAYED}
