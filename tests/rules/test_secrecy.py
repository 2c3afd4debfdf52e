"""Nobody learns a card it has not seen: worlds that fit what a viewer saw look the same to it."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from jasshaus.rules.core.cards import cards_in, format_contract, mask_of
from jasshaus.rules.core.dealing import stacked_deck
from jasshaus.rules.core.options import Finish, FirstForehand, rule_set
from jasshaus.rules.core.weis import Weis, candidates, notice_of, strength, why_undeclarable
from jasshaus.rules.registry import project, view
from jasshaus.rules.schieber import (
    Command,
    DealStarted,
    DeclareWeis,
    Event,
    Match,
    MatchEnded,
    Phase,
    StartDeal,
    StoeckScored,
    WeisDeclared,
    WeisScored,
    scoring,
    stoeck_holder,
)
from rules import brute_weis
from rules.layouts import VIEWERS, filled_up, texts
from rules.other_worlds import Deal, Unfit, alike_worlds, play_again
from rules.schieber_layouts import WEIS
from sizes import scaled


def shown_by_the_rules(match: Match) -> set[tuple[int, Weis]]:
    """List the Weis that all have seen, by the brute force and not by what the match says."""
    if not match.tricks:
        return set()
    declared = [tuple(texts(each or ())) for each in match.declared]
    scored = brute_weis.scoring(declared, match.forehand, format_contract(match.contract), match.rules)
    return {(seat, WEIS[each]) for seat, each in scored}


def other_hands(rng: random.Random, match: Match, viewer: int | None) -> list[int]:
    """Leave every seat what the viewer has seen of it and shuffle the rest.

    Weis that were declared and not shown are mostly exchanged for others that give the same notice, which
    shuffled cards seldom make.
    """
    fixed = [match.dealt[seat] & ~match.hands[seat] for seat in range(4)]
    if viewer is not None:
        fixed[viewer] = match.dealt[viewer]
    for seat, weis in shown_by_the_rules(match):
        fixed[seat] |= weis.cards
    for seat, declared in enumerate(match.declared):
        for weis in declared or ():
            others = mask_of(card for other in range(4) if other != seat for card in cards_in(fixed[other]))
            alike = [
                each
                for each in WEIS.values()
                if not each.cards & others
                and (each.cards | fixed[seat]).bit_count() <= 9
                and notice_of(each, match.rules) == notice_of(weis, match.rules)
            ]
            if not alike:
                raise Unfit
            if rng.random() < 0.8 and weis.cards & ~fixed[seat]:
                fixed[seat] |= rng.choice(alike).cards
    return filled_up(rng, fixed)


def same_notices(
    rng: random.Random, declared: tuple[Weis, ...], seat: int, match: Match, shown: set[tuple[int, Weis]]
) -> tuple[Weis, ...]:
    """Find a declaration in a hand that tells everybody the same, with the Weis that will be shown in it."""
    found: list[Weis] = []
    own = candidates(match.dealt[seat], match.rules)
    for wanted in declared:
        alike = [wanted] if (seat, wanted) in shown else rng.sample(own, len(own))
        for weis in alike:
            told = notice_of(weis, match.rules) == notice_of(wanted, match.rules)
            if told and why_undeclarable((*found, weis), match.dealt[seat], match.rules) is None:
                found.append(weis)
                break
        else:
            raise Unfit
    return tuple(found)


def tells(match: Match, before: Match, mine: Event | None, theirs: Event | None) -> bool:
    """Return whether the rules themselves tell the viewer in which of two worlds it is.

    By the forehand with the seven of roses, by what is declared, by the best Weis, by who is over with a
    Stöck not played yet, and by who is named as its holder then.
    """
    if isinstance(mine, DealStarted) and isinstance(theirs, DealStarted):
        return mine.forehand != theirs.forehand
    if isinstance(mine, WeisDeclared) and isinstance(theirs, WeisDeclared):
        return mine.notices != theirs.notices
    if isinstance(mine, WeisScored) and isinstance(theirs, WeisScored):
        return best_weis(match) != best_weis(before)
    if isinstance(mine, StoeckScored) and isinstance(theirs, StoeckScored):
        return mine.seat != theirs.seat
    return over_by_stages(match) != over_by_stages(before)


def best_weis(match: Match) -> tuple[int, Weis]:
    ranked = [
        (seat, weis)
        for seat in sorted(range(4), key=lambda seat: (seat - match.forehand) % 4)
        for weis in match.declared[seat] or ()
    ]
    return max(ranked, key=lambda each: strength(each[1], match.contract, match.rules))


def over_by_stages(match: Match) -> list[bool]:
    """Say who is over with the Stöck, played or not, then with the Weis, then with the tricks."""
    counted = scoring.count(match, unplayed_stoeck=True)
    parts, target = [counted.stoeck, counted.weis, counted.cards], match.rules.target
    return [
        match.totals[side] + match.multiplier * sum(part[side] for part in parts[:stages]) >= target
        for stages in (1, 2, 3)
        for side in (0, 1)
    ]


def another(rng: random.Random, deal: Deal, viewer: int | None) -> Match:
    """Play the deal from other hands; the other seats declare so that everybody hears the same."""
    hands = other_hands(rng, deal.match, viewer)
    shown = shown_by_the_rules(deal.match)

    def choose(made: Command, match: Match, caused: tuple[Event, ...]) -> Command:
        if isinstance(made, StartDeal):
            by_rose7 = match.deal == 0 and match.rules.first_forehand is FirstForehand.ROSE7
            return StartDeal(stacked_deck(hands, 3 if by_rose7 else caused[0].dealer), made.forehand)
        if isinstance(made, DeclareWeis) and made.seat != viewer:
            return DeclareWeis(made.seat, same_notices(rng, made.weis, made.seat, match, shown))
        return made

    return play_again(deal, viewer, choose, tells)


def hidden_differences(match: Match, other: Match) -> set[str]:
    """Name what is not the same in two worlds: hands, Weis not declared or not shown, a Stöck not played."""
    found = set()
    if match.hands != other.hands:
        found.add("hands")
    if match.declared != other.declared:
        found.add("weis that lost" if match.weis_scored else "weis declared")
    for seat in range(4):
        mine, theirs = (candidates(each.dealt[seat], each.rules) for each in (match, other))
        declared = match.declared[seat]
        if mine != theirs and declared is not None and declared == other.declared[seat]:
            found.add("weis not declared")
    if stoeck_holder(match) != stoeck_holder(other) and not match.stoeck_scored and match.phase is Phase.PLAY:
        found.add("stoeck not played")
    return found


def test_views_events_and_refusals_do_not_depend_on_unseen_cards(random_rules, random_command):
    rng, differing, worlds = random.Random(4), Counter(), scaled(300, least=100)

    def draw(rng: random.Random, match: Match) -> Command:
        return random_command(rng, match, claims=0)

    for viewer, match, other in alike_worlds(rng, worlds, random_rules, draw, another):
        found = hidden_differences(match, other)
        differing.update(found)
        if "hands" in found:
            differing.update([viewer, match.phase])
    for viewer in VIEWERS:
        assert differing[viewer] > worlds // 2, differing
    for phase in ("contract", "weis", "play"):
        assert differing[phase] > worlds // 3, differing
    for hidden in ("weis declared", "weis that lost", "weis not declared", "stoeck not played"):
        assert differing[hidden] > worlds // 3, differing


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
