"""Nobody learns a card or a hidden announcement: worlds that fit what a viewer saw look the same to it."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from jasshaus.rules.core.dealing import stacked_deck
from jasshaus.rules.core.options import Announcements, FirstForehand, rule_set
from jasshaus.rules.differenzler import (
    Announce,
    Announced,
    Command,
    DealStarted,
    Event,
    Match,
    Phase,
    StartDeal,
)
from jasshaus.rules.registry import project, view
from rules.layouts import VIEWERS, filled_up
from rules.other_worlds import Deal, alike_worlds, play_again
from sizes import scaled

ROSE_SEVEN = 1 << 10


def other_hands(rng: random.Random, match: Match, viewer: int | None) -> list[int]:
    """Keep what the viewer has seen (their hand, what was played, the trump card) and shuffle the rest."""
    fixed = [match.dealt[seat] & ~match.hands[seat] for seat in range(4)]
    fixed[match.trump_holder] |= 1 << match.trump_card
    if viewer is not None:
        fixed[viewer] = match.dealt[viewer]
    if match.deal == 1 and match.rules.first_forehand is FirstForehand.ROSE7:
        fixed[match.forehand] |= ROSE_SEVEN
    return filled_up(rng, fixed)


def tells_nothing(*_: object) -> bool:
    """Say that a Differenzler's events never tell one such world from another."""
    return False


def another(rng: random.Random, deal: Deal, viewer: int | None) -> Match:
    """Play the deal from other hands, others' hidden announcements drawn anew."""
    rules, after = deal.match.rules, deal.match
    hidden = rules.announcements is Announcements.HIDDEN and after.phase in (Phase.ANNOUNCE, Phase.PLAY)

    def choose(made: Command, match: Match, caused: tuple[Event, ...]) -> Command:
        if isinstance(made, StartDeal):
            by_rose7 = match.deal == 0 and rules.first_forehand is FirstForehand.ROSE7
            hands = other_hands(rng, after, viewer)
            return StartDeal(
                stacked_deck(hands, 3 if by_rose7 else after.dealer, after.trump_card), made.forehand
            )
        if isinstance(made, Announce) and hidden and made.seat != viewer:
            return Announce(made.seat, rng.randint(0, 157))
        return made

    return play_again(deal, viewer, choose, tells_nothing)


def test_views_events_and_refusals_depend_on_no_unseen_card_or_announcement(
    random_differenzler_rules, random_command
):
    differing, announced_otherwise, worlds = Counter(), Counter(), scaled(300, least=50)
    for viewer, match, other in alike_worlds(
        random.Random(4), worlds, random_differenzler_rules, random_command, another
    ):
        if other.hands != match.hands:
            differing.update([viewer, match.phase])
        announced_otherwise[viewer] += other.announced != match.announced
    for viewer in VIEWERS:
        assert differing[viewer] > worlds // 3, differing
        assert announced_otherwise[viewer] > worlds // 3, announced_otherwise
    for phase in (Phase.ANNOUNCE, Phase.PLAY):
        assert differing[phase] > worlds // 3, differing


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_hidden_announcement_is_its_seats_own_until_the_deal_is_scored(viewer, play):
    rules = rule_set("differenzler-classic", {"rounds": 2})
    played = play(random.Random(7), rules, until=lambda match: match.deal == 2)
    for event in played.events:
        seen = project(event, viewer)
        if isinstance(event, Announced):
            assert seen.points == (event.points if event.seat == viewer else None)
        elif isinstance(event, DealStarted):
            assert [hand != 0 for hand in seen.hands] == [seat == viewer for seat in range(4)]
            assert seen.trump_card == event.trump_card
        else:
            assert seen == event


@pytest.mark.parametrize("viewer", VIEWERS)
def test_announcements_are_in_the_view_when_all_may_know_them(viewer, play):
    rules = rule_set("differenzler-classic", {"rounds": 2})
    match = play(random.Random(7), rules, until=lambda match: len(match.tricks) == 3).match
    expected = tuple(points if seat == viewer else None for seat, points in enumerate(match.announced))
    assert view(match, viewer).announced == expected
    assert view(match, viewer).has_announced == (True,) * 4
    match = play(random.Random(7), rules, until=lambda match: match.last_deal is not None).match
    assert view(match, viewer).announced == match.announced == match.last_deal.announced


@pytest.mark.parametrize("viewer", VIEWERS)
def test_open_announcements_are_seen_at_once(viewer, play):
    rules = rule_set("differenzler-classic", {"announcements": "open"})
    played = play(random.Random(7), rules, until=lambda match: match.announced[match.forehand] is not None)
    assert view(played.match, viewer).announced == played.match.announced
    assert all(project(event, viewer) == event for event in played.events if isinstance(event, Announced))


@pytest.mark.parametrize("live", [True, False])
def test_running_points_are_seen_only_with_live_points(live, play):
    rules = rule_set("differenzler-classic", {"live_points": live})
    match = play(random.Random(2), rules, until=lambda match: len(match.tricks) == 3).match
    for viewer in VIEWERS:
        seen = view(match, viewer)
        assert (seen.running is not None) == live
        assert all((trick.points is not None) == live for trick in seen.tricks)


def test_all_know_the_trump_card_and_who_holds_it(play):
    match = play(
        random.Random(2), rule_set("differenzler-classic"), until=lambda match: match.deal == 1
    ).match
    for viewer in VIEWERS:
        seen = view(match, viewer)
        assert (seen.trump_card, seen.trump_holder, seen.contract) == (
            match.trump_card,
            match.dealer,
            match.trump_card // 9,
        )
