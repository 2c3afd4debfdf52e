"""The bots in a Differenzler: legal, within what they may know, and near the figure they announced."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from statistics import fmean

import pytest

from jasshaus.bots import BOTS, strong
from jasshaus.bots.core.playout import setting
from jasshaus.bots.differenzler.inference import know
from jasshaus.bots.differenzler.targets import figure_of, follow_to, lead_to, steer_on
from jasshaus.rules import differenzler, registry
from jasshaus.rules.core.cards import DEAL_POINTS, SUIT_MASKS, Contract, cards_in, mask_of, parse_card
from jasshaus.rules.core.kernel import SHUFFLE_BITS, shuffled_hands, split
from jasshaus.rules.core.options import Undertrump, rule_set
from jasshaus.rules.differenzler import Announce, PenaltiesScored, PlayCard, StartDeal

ALL = {**BOTS, "strong": partial(strong.choose, budget_ms=None, worlds=2)}


def deal_of(rng: random.Random) -> StartDeal:
    return StartDeal(tuple(rng.sample(range(36), 36)), rng.randrange(4))


def play_deal(rules, bot, seed):
    """Let one bot play all seats of a deal, and give its score and the match."""
    rng = random.Random(seed)
    match = registry.new_match(rules)
    events = registry.decide(match, deal_of(rng))
    while True:
        match = registry.replay(match, events)
        scored = [event for event in events if isinstance(event, PenaltiesScored)]
        if scored:
            return scored[0], match
        due = rng.choice(registry.pending(match))
        events = registry.decide(match, bot(registry.view(match, due.seat), rng.getrandbits(32)))


@pytest.mark.parametrize(
    "overrides", [{}, {"announcements": "open"}, {"exact_bonus": 10, "live_points": False}]
)
@pytest.mark.parametrize("preset", ["differenzler-classic", "differenzler-swisslos"])
@pytest.mark.parametrize("name", ALL)
def test_a_bot_is_legal_under_every_option(name, preset, overrides):
    for seed in range(3):
        scored, _ = play_deal(rule_set(preset, overrides), ALL[name], seed)
        assert sum(scored.made) == DEAL_POINTS


def penalty(bot, seeds):
    rules = rule_set("differenzler-classic")
    return fmean(fmean(play_deal(rules, bot, seed)[0].penalties) for seed in seeds)


def test_thinking_brings_the_figure_nearer_and_rules_of_thumb_do_better_than_chance():
    assert penalty(BOTS["random"], range(30)) > 30
    assert penalty(BOTS["greedy"], range(60)) < 17
    assert penalty(partial(strong.choose, budget_ms=None, worlds=10), range(12)) < 12.5


def test_the_figures_of_a_deal_add_up():
    rng = random.Random(1)
    sums = []
    for _ in range(200):
        figures = [figure_of(hand, 2) for hand in shuffled_hands(rng.getrandbits(SHUFFLE_BITS))]
        assert all(0 <= figure <= DEAL_POINTS for figure in figures)
        sums.append(sum(figures))
    assert DEAL_POINTS <= fmean(sums) < DEAL_POINTS + 1


def test_a_playout_shares_out_all_points():
    rng = random.Random(2)
    look = replace(setting(Contract.BELLS, None, Undertrump.ALLOWED, -1), goals=(39, 39, 39, 40))
    for _ in range(50):
        hands = shuffled_hands(rng.getrandbits(SHUFFLE_BITS))
        first = cards_in(sum(ranks << 9 * suit for suit, ranks in enumerate(hands[1])))[0]
        made = steer_on(look, hands, (0, 0, 0, 0), (), 1, first)
        assert sum(made) == DEAL_POINTS
        assert hands == [[0, 0, 0, 0]] * 4


def masks(text: str) -> list[int]:
    return split(mask_of(map(parse_card, text.split())))


@pytest.mark.parametrize(("need", "card"), [(30, "EA"), (0, "E6")])
def test_who_needs_points_leads_a_boss_and_who_has_enough_what_is_beaten(need, card):
    look = setting(Contract.ROSES, None, Undertrump.ALLOWED, -1)
    out = masks("EA EK EO EU ET E9 E8 E7 E6 S7 S8 B7 B8")
    assert lead_to(look, masks("EA E6"), out, need) == parse_card(card)


@pytest.mark.parametrize(("need", "card"), [(22, "EA"), (0, "E9")])
def test_who_needs_points_wins_and_who_has_enough_ducks(need, card):
    look = setting(Contract.ROSES, None, Undertrump.ALLOWED, -1)
    options = tuple(map(parse_card, ("E6", "E9", "EA")))
    best = look.orders[0][parse_card("ET")]
    out = masks("E6 E9 EA EK EO EU E8 E7 S7 S8 R6 R7 RU")
    chosen = follow_to(look, masks("E6 E9 EA"), out, 0, best, 10, options, need, 0)
    assert chosen == parse_card(card)


def test_the_trump_turned_up_is_known_to_all():
    match = differenzler.new_match(rule_set("differenzler-classic"))
    match = differenzler.replay(match, differenzler.decide(match, deal_of(random.Random(4))))
    assert match.trump_holder is not None
    for seat in range(4):
        known = know(registry.view(match, seat), seat)
        if seat != match.trump_holder:
            assert known.known[match.trump_holder] == 1 << match.trump_card


def test_a_player_that_undertrumps_by_rule_proves_nothing_where_it_is_allowed():
    rules = rule_set("differenzler-classic")
    match = differenzler.new_match(rules)
    match = differenzler.replay(match, differenzler.decide(match, deal_of(random.Random(5))))
    trump = match.trump_card // 9
    plain = (trump + 1) % 4
    table = (plain * 9, trump * 9 + 8, trump * 9)
    match = replace(match, phase=differenzler.Phase.PLAY, announced=(1, 2, 3, 4), leader=0, table=table)
    held = [SUIT_MASKS[(trump + 2) % 4], 0, 0, 0]
    hands = tuple(each & ~mask_of(table) for each in (held[0], *match.hands[1:]))
    assert know(registry.view(replace(match, hands=hands), 3), 3).voids[2] == 0


@pytest.mark.parametrize("name", ["greedy", "strong"])
def test_nothing_is_asked_before_the_deal(name):
    match = differenzler.new_match(rule_set("differenzler-classic"))
    with pytest.raises(ValueError, match="nothing is asked"):
        ALL[name](registry.view(match, 0), 1)


def test_a_hidden_figure_does_not_move_the_bot():
    rules = rule_set("differenzler-classic")
    match = differenzler.new_match(rules)
    match = differenzler.replay(match, differenzler.decide(match, deal_of(random.Random(6))))
    match = differenzler.replay(match, [differenzler.Announced(seat, 30, hidden=True) for seat in range(4)])
    seat = match.player
    answers = set()
    for other in (0, 60, 157):
        figures = tuple(30 if each == seat else other for each in range(4))
        answers.add(ALL["strong"](registry.view(replace(match, announced=figures), seat), 1))
    assert len(answers) == 1
    assert isinstance(answers.pop(), PlayCard)


def test_an_announcement_is_made_when_asked():
    match = differenzler.new_match(rule_set("differenzler-classic"))
    match = differenzler.replay(match, differenzler.decide(match, deal_of(random.Random(7))))
    for bot in ALL.values():
        assert isinstance(bot(registry.view(match, 0), 1), Announce)
