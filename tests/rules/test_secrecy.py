"""Nobody learns a card it has not seen: hands that fit what a viewer saw give it the same views."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import zip_longest

import pytest

from jasshaus.rules.cards import Contract, mask_of
from jasshaus.rules.dealing import stacked_deck
from jasshaus.rules.options import Finish, FirstForehand, RuleSet, rule_set
from jasshaus.rules.schieber import (
    ChooseContract,
    Claim,
    Command,
    DealStarted,
    DeclareWeis,
    Event,
    Match,
    MatchEnded,
    PlayCard,
    Push,
    RuleViolation,
    StartDeal,
    StoeckScored,
    WeisDeclared,
    WeisScored,
    decide,
    new_match,
    replay,
)
from jasshaus.rules.view import project, view
from jasshaus.rules.weis import Weis, candidates, notice_of, why_undeclarable
from rules.layouts import VIEWERS, filled_up


class Unfit(Exception):  # noqa: N818 - no error, but the ordinary outcome of most shuffles
    """The other hands do not fit what the viewer has seen."""


def other_hands(rng: random.Random, match: Match, viewer: int | None) -> list[int]:
    """Give every seat the cards it has played and shuffle those the viewer has not seen among the others."""
    fixed = [match.dealt[seat] & ~match.hands[seat] for seat in range(4)]
    if viewer is not None:
        fixed[viewer] = match.dealt[viewer]
    for shown in match.weis_scored:
        fixed[shown.seat] |= shown.weis.cards
    return filled_up(rng, fixed)


def same_notices(declared: DeclareWeis, hand: int, rules: RuleSet) -> DeclareWeis:
    """Find a declaration in another hand that tells everybody the same."""
    found: list[Weis] = []
    for wanted in (notice_of(weis, rules) for weis in declared.weis):
        for weis in candidates(hand, rules):
            if notice_of(weis, rules) == wanted and why_undeclarable((*found, weis), hand, rules) is None:
                found.append(weis)
                break
        else:
            raise Unfit
    return DeclareWeis(declared.seat, tuple(found))


def is_entitled_to(mine: Event | None, theirs: Event | None) -> bool:
    """Say whether two events differ in what the rules themselves tell: Weis, the end of the match, R7."""
    if isinstance(mine, WeisDeclared) and isinstance(theirs, WeisDeclared):
        return mine.notices != theirs.notices
    if isinstance(mine, DealStarted) and isinstance(theirs, DealStarted):
        return mine.forehand != theirs.forehand
    told = (WeisScored, MatchEnded, StoeckScored)
    return mine != theirs and (isinstance(mine, told) or isinstance(theirs, told))


def same_play(
    match: Match, commands: list[Command], hands: list[int], viewer: int | None, seen: list[tuple[Event, ...]]
) -> tuple[Match, list[Event]]:
    """Play a deal again from other hands, as long as the viewer is told nothing else than before."""
    events: list[Event] = []
    for command, caused_before in zip(commands, seen, strict=True):
        if isinstance(command, StartDeal):
            started = caused_before[0]
            by_rose7 = started.deal == 1 and match.rules.first_forehand is FirstForehand.ROSE7
            dealer = 3 if by_rose7 else started.dealer
            command = StartDeal(stacked_deck(hands, dealer), command.forehand)  # noqa: PLW2901
        elif isinstance(command, DeclareWeis) and command.seat != viewer:
            command = same_notices(command, match.dealt[command.seat], match.rules)  # noqa: PLW2901
        try:
            caused = decide(match, command)
        except RuleViolation:
            raise Unfit from None
        for mine, theirs in zip_longest(caused, caused_before):
            if is_entitled_to(mine, theirs):
                raise Unfit
        events += caused
        match = replay(match, caused)
    return match, events


def answers(match: Match, seat: int) -> list[str]:
    """Ask for everything a seat could try and note how it is refused or accepted."""
    asked: list[Command] = [PlayCard(seat, card) for card in range(36)]
    asked += [ChooseContract(seat, contract) for contract in Contract]
    asked += [
        Push(seat),
        DeclareWeis(seat),
        DeclareWeis(seat, candidates(match.dealt[seat], match.rules)[:1]),
    ]
    noted = []
    for command in asked:
        try:
            events = decide(match, command)
        except RuleViolation as refused:
            noted.append(repr((refused.reason, refused.text, refused.args)))
        else:
            noted.append(repr(project(events[0], seat)))
    try:
        decide(match, Claim(seat))
    except RuleViolation as refused:
        noted.append(repr((refused.reason, refused.text)))
    else:
        noted.append("claim accepted")
    return noted


def test_views_events_and_refusals_do_not_depend_on_unseen_cards(random_rules, random_command):
    rng = random.Random(4)
    compared = Counter()
    for _ in range(500):
        rules = random_rules(rng)
        before = match = new_match(rules)
        commands, seen = [], []
        for _ in range(rng.randint(1, 46)):
            command = random_command(rng, match, claims=0)
            if isinstance(command, StartDeal):
                before, commands, seen = match, [], []
            events = decide(match, command)
            match = replay(match, events)
            commands.append(command)
            seen.append(events)
            if match.outcome is not None:
                break
        for viewer in VIEWERS:
            for _ in range(6):
                try:
                    other, events = same_play(before, commands, other_hands(rng, match, viewer), viewer, seen)
                except Unfit:
                    continue
                assert [repr(project(e, viewer)) for e in events] == [
                    repr(project(e, viewer)) for caused in seen for e in caused
                ]
                assert repr(view(other, viewer)) == repr(view(match, viewer))
                if viewer is not None:
                    assert answers(other, viewer) == answers(match, viewer)
                compared[viewer, match.phase, other.hands != match.hands] += 1
    differing = Counter()
    for (viewer, phase, differs), count in compared.items():
        differing[viewer] += count * differs
        differing[phase] += count * differs
    for viewer in VIEWERS:
        assert differing[viewer] > 150, differing
    for phase in ("contract", "weis", "play"):
        assert differing[phase] > 100, differing


def test_a_spectator_never_gets_a_card_that_is_not_on_the_table(random_rules, play):
    for seed in range(30):
        played = play(
            random.Random(seed), random_rules(random.Random(seed)), until=lambda match: len(match.tricks) > 3
        )
        seen = view(played.match, None)
        assert (seen.hand, seen.legal, seen.own_weis) == ((), None, None)
        for event in played.events:
            public = project(event, None)
            if isinstance(public, DealStarted):
                assert public.hands == (0, 0, 0, 0)
            if isinstance(public, WeisDeclared):
                assert public.weis == ()


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_gets_its_own_hand_and_declaration_and_no_other(seat, random_rules, play):
    played = play(
        random.Random(seat), random_rules(random.Random(8)), until=lambda match: len(match.tricks) > 0
    )
    for event in played.events:
        own = project(event, seat)
        if isinstance(event, DealStarted):
            assert [hand != 0 for hand in own.hands] == [other == seat for other in range(4)]
        elif isinstance(event, WeisDeclared):
            assert own.weis == (event.weis if event.seat == seat else ())
        else:
            assert own == event
    assert mask_of(view(played.match, seat).hand) == played.match.hands[seat]


@pytest.mark.parametrize("live", [True, False])
def test_running_points_are_seen_only_with_live_points(live, play):
    rules = rule_set("schieber-classic", {"live_points": live})
    match = play(random.Random(2), rules, until=lambda match: len(match.tricks) == 3).match
    for viewer in VIEWERS:
        seen = view(match, viewer)
        assert (seen.running is not None) == live
        assert all((trick.points is not None) == live for trick in seen.tricks)


def test_the_offer_to_claim_does_not_depend_on_the_score(play):
    rules = rule_set("schieber-classic")
    match = play(
        random.Random(2), rules, claims=0, until=lambda match: len(match.tricks) == 3 and not match.table
    ).match
    near = replace(match, totals=(2499, 2499))
    for seat in range(4):
        assert view(near, seat).legal == view(match, seat).legal
    assert rules.finish is Finish.CLAIM


def test_under_claim_no_stoeck_is_heard_before_it_is_played(play, random_rules):
    for seed in range(150):
        rng = random.Random(seed)
        rules = random_rules(rng)
        if rules.finish is not Finish.CLAIM:
            continue
        played = play(rng, rules, claims=0)
        ended = isinstance(played.events[-1], MatchEnded)
        out: set[int] = set()
        for index, event in enumerate(played.events):
            if isinstance(event, DealStarted):
                out = set()
            if type(event).__name__ == "CardPlayed":
                out.add(event.card)
            if isinstance(event, StoeckScored):
                final = ended and index == len(played.events) - 2
                contract = next(
                    each.contract
                    for each in reversed(played.events[:index])
                    if type(each).__name__ == "ContractChosen"
                )
                assert final or {contract * 9 + 6, contract * 9 + 7} <= out
