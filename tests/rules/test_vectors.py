"""The worked cases of vectors.json and corner_vectors.json, each against the module that owns its rule."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jasshaus.rules import differenzler
from jasshaus.rules.core.cards import Contract, cards_in, format_card, mask_of, parse_card, parse_contract
from jasshaus.rules.core.dealing import deal, last_card
from jasshaus.rules.core.options import OptionError, RuleSet, StoeckTiming, Undertrump, UnePoints, rule_set
from jasshaus.rules.core.tricks import legal_cards, trick_points, trick_winner
from jasshaus.rules.core.weis import (
    ShownWeis,
    Weis,
    WeisKind,
    award,
    best_declaration,
    weis_of,
    why_undeclarable,
)
from jasshaus.rules.differenzler import scoring as penalties
from jasshaus.rules.schieber import (
    ChooseContract,
    Claim,
    DealStarted,
    EndedBy,
    Match,
    MatchEnded,
    Phase,
    PlayCard,
    Push,
    RuleViolation,
    StartDeal,
    StoeckScored,
    Trick,
    apply,
    decide,
    legal_actions,
    new_match,
    pending,
    replay,
    scoring,
)
from rules.schieber_layouts import trick

VECTORS: list[dict[str, Any]] = [
    vector
    for name in ("vectors.json", "corner_vectors.json")
    for vector in json.loads((Path(__file__).parent / name).read_text())["vectors"]
]


def of_kind(kind: str):
    chosen = [vector for vector in VECTORS if vector["kind"] == kind]
    return pytest.mark.parametrize("vector", chosen, ids=[vector["id"] for vector in chosen])


def cards(texts: list[str] | str) -> tuple[int, ...]:
    """Read a list of cards, or a line of them."""
    return tuple(parse_card(text) for text in (texts.split() if isinstance(texts, str) else texts))


def rules_of(vector: dict[str, Any], **more: object) -> RuleSet:
    options = dict(vector["options"]) | more
    if options.get("finish") == "automatic":
        options = {name: value for name, value in options.items() if not name.startswith("claim")}
    return rule_set("schieber-classic", options)


def in_play(rules: RuleSet, contract: Contract, **fields: object) -> Match:
    match = replace(new_match(rules), phase=Phase.PLAY, deal=1, forehand=0, leader=0, contract=contract)
    return replace(match, **fields)


def weis_of_sides(raw: list[int]) -> tuple[ShownWeis, ...]:
    """Return each side one scored Weis of so many points."""
    run = Weis(WeisKind.RUN, 0b111)
    return tuple(ShownWeis(side, run, points) for side, points in enumerate(raw) if points)


def stoeck_pair(vector: dict[str, Any]) -> int:
    return mask_of(cards([f"{vector['mode']}O", f"{vector['mode']}K"]))


def test_every_kind_of_vector_has_a_test_and_every_vector_a_name():
    tested = {"legal", "trick", "weis", "stoeck", "deal_score", "match_end", "deal"}
    tested |= {"contract", "differenzler", "declaration", "options"}
    assert {vector["kind"] for vector in VECTORS} == tested
    assert len({vector["id"] for vector in VECTORS}) == len(VECTORS)


@of_kind("legal")
def test_legal_cards(vector):
    legal = legal_cards(
        mask_of(cards(vector["hand"])),
        cards(vector["trick"]),
        parse_contract(vector["mode"]),
        Undertrump(vector["options"]["undertrump"]),
    )
    assert [format_card(card) for card in cards_in(legal)] == sorted(
        map(format_card, cards(vector["expect"]["legal"])), key=parse_card
    )


@of_kind("trick")
def test_trick(vector):
    contract, played = parse_contract(vector["mode"]), cards(vector["trick"])
    une_points = UnePoints(vector["options"]["une_points"])
    assert trick_winner(played, contract) == vector["expect"]["winner_index"]
    assert trick_points(played, contract, une_points, last=vector["last"]) == vector["expect"]["points"]


@of_kind("weis")
def test_weis(vector):
    rules, contract = rules_of(vector), parse_contract(vector["mode"])
    hands = [mask_of(cards(hand)) for hand in vector["hands"]]
    declared = [best_declaration(hand, contract, rules) for hand in hands]
    shown = award(declared, vector["forehand"], contract, rules)
    team = vector["expect"]["team"]
    assert {each.seat % 2 for each in shown} == (set() if team is None else {team})
    assert sum(each.points for each in shown) * rules.multipliers[contract] == vector["expect"]["points"]


@of_kind("weis")
def test_stoeck_beside_weis(vector):
    if "stoeck" not in vector:
        return
    dealt = tuple(mask_of(cards(hand)) for hand in vector["hands"])
    match = in_play(rules_of(vector), parse_contract(vector["mode"]), dealt=dealt)
    counted = scoring.count(match, unplayed_stoeck=True)
    team = vector["stoeck"]["team"]
    assert counted.stoeck[team] * match.multiplier == vector["stoeck"]["points"]
    assert counted.stoeck[1 - team] == 0


@of_kind("declaration")
def test_declaration(vector):
    declared = [weis_of(mask_of(cards(texts))) for texts in vector["weis"]]
    refused = vector["expect"]["refused"]
    if None in declared:
        assert refused == "weis_not_a_combination"
    else:
        assert why_undeclarable(declared, mask_of(cards(vector["hand"])), rules_of(vector)) == refused


@of_kind("stoeck")
def test_stoeck(vector):
    rules, contract = rules_of(vector), parse_contract(vector["mode"])
    if "hands" in vector:
        dealt = tuple(mask_of(cards(vector["hands"].get(str(seat), []))) for seat in range(4))
        counted = scoring.count(in_play(rules, contract, dealt=dealt), unplayed_stoeck=True)
        assert sum(counted.stoeck) * rules.multipliers[contract] == vector["expect"]["points"]
        return
    holder = vector["holder"]
    plays = sorted(vector["plays"].items(), key=lambda item: item[1])
    dealt = tuple(mask_of(cards(list(vector["plays"]))) if seat == holder else 0 for seat in range(4))
    hands, scored = dealt, []
    for text, number in plays:
        won = tuple(trick(0, 0) for _ in range(number - 1))
        match = in_play(rules, contract, dealt=dealt, hands=hands, leader=holder, tricks=won)
        events = decide(match, PlayCard(holder, parse_card(text)))
        hands = replay(match, events).hands
        scored += [
            (number, event.points * match.multiplier) for event in events if isinstance(event, StoeckScored)
        ]
    expect = vector["expect"]["scored_in_trick"]
    assert scored == ([] if expect is None else [(expect, vector["expect"]["points"])])


@of_kind("deal_score")
def test_deal_score(vector):
    points, won = vector["card_points"], vector["tricks_won"]
    tricks = [trick(side, 0) for side in (0, 1) for _ in range(won[side])]
    for side in (0, 1):
        if won[side]:
            index = next(i for i, each in enumerate(tricks) if each.winner == side)
            tricks[index] = trick(side, points[side])
    contract = parse_contract(vector["mode"])
    ober_king = stoeck_pair(vector) if contract < 4 else 0
    match = in_play(
        rules_of(vector),
        contract,
        tricks=tuple(tricks),
        stoeck_scored=any(vector["stoeck_raw"]),
        dealt=(*(ober_king if raw else 0 for raw in vector["stoeck_raw"]), 0, 0),
        weis_scored=weis_of_sides(vector["weis_raw"]),
    )
    assert list(scoring.deal_score(match).score) == vector["expect"]["score"]


def tricks_of(vector: dict[str, Any]) -> tuple[Trick, ...]:
    """List the tricks played: each one, or so many and so many points by side."""
    if "tricks" in vector:
        return tuple(trick(each["team"], each["points"]) for each in vector["tricks"])
    if "first_trick" in vector:
        return (trick(vector["first_trick"]["team"], vector["first_trick"]["points"]),)
    last = vector["last_trick_team"]
    points = vector.get("tricks_points_so_far") or vector["card_points"]
    won = vector.get("tricks_won", [1, 1])
    return tuple(
        trick(side, 0 if number else points[side]) for side in (1 - last, last) for number in range(won[side])
    )


def position(vector: dict[str, Any]) -> Match:
    """Set up the match, all the tricks played, as a vector of the match's end describes it."""
    schneider_below = 1500 if vector["target"] == 3000 else None
    rules = rules_of(vector, target=vector["target"], schneider_below=schneider_below)
    match = in_play(
        rules,
        parse_contract(vector["mode"]),
        totals=tuple(vector["carry"]),
        tricks=tricks_of(vector),
        weis_scored=weis_of_sides(vector.get("weis_raw", [0, 0])),
        table=(0,) if vector.get("led") else (),
    )
    if "stoeck" not in vector:
        return match
    pair, played = stoeck_pair(vector), vector["stoeck"]["cards_played"]
    held = {0: pair, 1: pair & -pair, 2: 0}[played]
    dealt = tuple(pair if seat == vector["stoeck"]["team"] else 0 for seat in range(4))
    hands = tuple(held if mask else 0 for mask in dealt)
    scored = played == 2 and rules.stoeck_timing is StoeckTiming.SECOND_CARD
    return replace(match, dealt=dealt, hands=hands, stoeck_scored=scored)


def ending(vector: dict[str, Any], match: Match) -> MatchEnded | None:
    """Let the match go on from there by a claim, by counting the deal, or trick by trick."""
    if "claim_by" in vector:
        return decide(match, Claim(vector["claim_by"]))[-1]
    if "deal_complete" in vector:
        return scoring.ending_after_deal(apply(match, scoring.deal_score(match)))
    after = vector["expect"].get("after_trick", len(match.tricks))
    for number in range(1, after):
        assert scoring.ending_after_trick(replace(match, tricks=match.tricks[:number])) == ()
    return next(reversed(scoring.ending_after_trick(replace(match, tricks=match.tricks[:after]))), None)


@of_kind("match_end")
def test_match_end(vector):
    expect, match = vector["expect"], position(vector)
    if "rejected" in expect:
        with pytest.raises(RuleViolation) as refused:
            decide(match, Claim(vector["claim_by"]))
        assert refused.value.reason == expect["rejected"]
        return
    ended = ending(vector, match)
    if expect["winner"] is None:
        assert ended is None
        return
    by = {"claim_ok": "claim"}.get(expect.get("reason"), expect.get("reason", expect.get("by", ended.by)))
    assert (ended.winner, ended.by) == (expect["winner"], EndedBy(by))
    assert list(ended.totals) == expect.get("totals", list(ended.totals))
    assert ended.schneider == expect.get("schneider", ended.schneider)


@of_kind("deal")
def test_deal(vector):
    deck = cards(vector["deck"])
    hands = deal(deck, vector["dealer"])
    assert [set(cards_in(hand)) for hand in hands] == [set(cards(hand)) for hand in vector["expect"]["hands"]]
    assert (vector["dealer"] + 1) % 4 == vector["expect"]["forehand"]
    assert format_card(last_card(deck)) == vector["expect"]["trump_card"]
    assert format_card(last_card(deck))[0] == vector["expect"]["trump"]


@of_kind("contract")
def test_contract(vector, random_deck):
    rng = random.Random(1)
    expect = vector["expect"]
    if "rose7_holder" in vector:
        match = new_match(
            rule_set("schieber-classic", vector["options"] | {"finish": "automatic", "target": 10_000})
        )
        seven = parse_card("R7")
        deck = list(random_deck(rng))
        # The deal goes from seat 0 on in packets of three, so packet n lands at seat n % 4.
        place = 3 * vector["rose7_holder"]
        deck[deck.index(seven)], deck[place] = deck[place], seven
        match = replay(match, decide(match, StartDeal(tuple(deck))))
        assert match.forehand == match.chooser == match.leader == expect["forehand"]
        assert match.dealer == (expect["forehand"] - 1) % 4
        between = replace(match, phase=Phase.DEAL, last_deal=None, tricks=(trick(0, 0),))
        started = decide(between, StartDeal(random_deck(rng)))[0]
    else:
        match = new_match(rule_set("schieber-classic"))
        match = replay(match, decide(match, StartDeal(random_deck(rng), vector["forehand"])))
        for text, outcome in expect["actions"]:
            seat, what = int(text[0]), text[2:]
            command = Push(seat) if what == "push" else ChooseContract(seat, parse_contract(what))
            if outcome == "ok":
                match = replay(match, decide(match, command))
            else:
                with pytest.raises(RuleViolation):
                    decide(match, command)
        assert match.leader == expect["leader"]
        assert legal_actions(match, 0).can_declare_weis
        assert {due.seat for due in pending(match)} == {0, 1, 2, 3}
        between = replace(match, phase=Phase.DEAL, tricks=(trick(0, 0),))
        started = decide(between, StartDeal(random_deck(rng)))[0]
    assert isinstance(started, DealStarted)
    assert (started.forehand, started.dealer) == (expect["next_forehand"], (expect["next_forehand"] - 1) % 4)


def rounds_scored(vector: dict[str, Any], totals: list[int]) -> differenzler.Match:
    match = differenzler.new_match(rule_set("differenzler-classic", vector["options"]))
    start = replace(match, phase=differenzler.Phase.DEAL, deal=4, totals=tuple(totals))
    return replace(start, contenders=penalties.contenders_after(start))


@of_kind("differenzler")
def test_differenzler(vector):
    expect = vector["expect"]
    if "announced" in vector:
        tricks = tuple(Trick(seat, (0, 1, 2, 3), seat, points) for seat, points in enumerate(vector["made"]))
        match = replace(
            rounds_scored(vector, [0, 0, 0, 0]), announced=tuple(vector["announced"]), tricks=tricks
        )
        assert list(penalties.penalties_scored(match).penalties) == expect["penalties"]
        return
    match = rounds_scored(vector, vector["totals_after4"])
    for added in vector["extra"]:
        assert penalties.ending_after_deal(match) is None
        totals = [total + more for total, more in zip(match.totals, added, strict=True)]
        match = replace(match, deal=match.deal + 1, totals=tuple(totals))
        match = replace(match, contenders=penalties.contenders_after(match))
    ended = penalties.ending_after_deal(match)
    assert (ended.winner, list(ended.totals)) == (expect["winner"], expect["final"])
    assert match.deal == expect.get("rounds", 5)


@of_kind("options")
def test_options(vector):
    preset, overrides, expect = vector["preset"], vector["overrides"], vector["expect"]
    if "faults" in expect:
        with pytest.raises(OptionError) as refused:
            rule_set(preset, overrides)
        assert [field for field, _ in refused.value.faults] == expect["faults"]
        return
    rules = rule_set(preset, overrides)
    found = {name: getattr(rules, name) for name in expect["values"]}
    assert found == expect["values"] | ({"multipliers": rules.multipliers} if "multipliers" in found else {})
    assert list(found.get("multipliers", ())) == expect["values"].get("multipliers", [])
