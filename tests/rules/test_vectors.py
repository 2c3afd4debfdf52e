"""The worked cases of vectors.json, each run against the module that owns its rule."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jasshaus.rules import differenzler, penalties, scoring
from jasshaus.rules.cards import (
    Contract,
    cards_in,
    format_card,
    mask_of,
    parse_card,
    parse_contract,
)
from jasshaus.rules.dealing import deal, last_card
from jasshaus.rules.options import RuleSet, Undertrump, UnePoints, rule_set
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
)
from jasshaus.rules.tricks import legal_cards, trick_points, trick_winner
from jasshaus.rules.weis import ShownWeis, Weis, WeisKind, award, best_declaration

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text())["vectors"]


def of_kind(kind: str):
    chosen = [vector for vector in VECTORS if vector["kind"] == kind]
    return pytest.mark.parametrize("vector", chosen, ids=[vector["id"] for vector in chosen])


def cards(texts: list[str]) -> tuple[int, ...]:
    return tuple(parse_card(text) for text in texts)


def rules_of(vector: dict[str, Any], **more: object) -> RuleSet:
    options = dict(vector["options"]) | more
    if options.get("finish") == "automatic":
        options = {name: value for name, value in options.items() if not name.startswith("claim")}
    return rule_set("schieber-classic", options)


def in_play(rules: RuleSet, contract: Contract, **fields: object) -> Match:
    match = replace(new_match(rules), phase=Phase.PLAY, deal=1, forehand=0, leader=0, contract=contract)
    return replace(match, **fields)


def trick(side: int, points: int) -> Trick:
    return Trick(leader=side, cards=(0, 1, 2, 3), winner=side, points=points)


def weis_worth_20(seat: int) -> ShownWeis:
    return ShownWeis(seat, Weis(WeisKind.RUN, 0b111), 20)


def test_every_kind_of_vector_has_a_test():
    tested = {"legal", "trick", "weis", "stoeck", "deal_score", "match_end", "deal"}
    tested |= {"contract", "differenzler"}
    assert {vector["kind"] for vector in VECTORS} == tested


@of_kind("legal")
def test_legal_cards(vector):
    legal = legal_cards(
        mask_of(cards(vector["hand"])),
        cards(vector["trick"]),
        parse_contract(vector["mode"]),
        Undertrump(vector["options"]["undertrump"]),
    )
    assert [format_card(card) for card in cards_in(legal)] == sorted(
        vector["expect"]["legal"], key=parse_card
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
    assert {each.seat % 2 for each in shown} == {vector["expect"]["team"]}
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


@of_kind("stoeck")
def test_stoeck(vector):
    rules, contract = rules_of(vector), parse_contract(vector["mode"])
    if "hands" in vector:
        dealt = (mask_of(cards(vector["hands"]["0"])), 0, 0, 0)
        assert scoring.count(in_play(rules, contract, dealt=dealt), unplayed_stoeck=True).stoeck == (0, 0)
        return
    holder = vector["holder"]
    plays = sorted(vector["plays"].items(), key=lambda item: item[1])
    dealt = tuple(mask_of(cards(list(vector["plays"]))) if seat == holder else 0 for seat in range(4))
    hands, scored_in = dealt, []
    for text, number in plays:
        won = tuple(trick(0, 0) for _ in range(number - 1))
        match = in_play(rules, contract, dealt=dealt, hands=hands, leader=holder, tricks=won)
        events = decide(match, PlayCard(holder, parse_card(text)))
        hands = replay(match, events).hands
        scored_in += [number for event in events if isinstance(event, StoeckScored)]
        points = [event.points * match.multiplier for event in events if isinstance(event, StoeckScored)]
    assert scored_in == [vector["expect"]["scored_in_trick"]]
    assert points == [vector["expect"]["points"]]


@of_kind("deal_score")
def test_deal_score(vector):
    points, won = vector["card_points"], vector["tricks_won"]
    tricks = [trick(side, 0) for side in (0, 1) for _ in range(won[side])]
    for side in (0, 1):
        if won[side]:
            index = next(i for i, each in enumerate(tricks) if each.winner == side)
            tricks[index] = trick(side, points[side])
    contract = parse_contract(vector["mode"])
    ober_king = mask_of(cards([f"{vector['mode']}O", f"{vector['mode']}K"])) if contract < 4 else 0
    match = in_play(
        rules_of(vector),
        contract,
        tricks=tuple(tricks),
        stoeck_scored=any(vector["stoeck_raw"]),
        dealt=(*(ober_king if raw else 0 for raw in vector["stoeck_raw"]), 0, 0),
        weis_scored=tuple(
            replace(weis_worth_20(side), points=raw) for side, raw in enumerate(vector["weis_raw"]) if raw
        ),
    )
    assert list(scoring.deal_score(match).score) == vector["expect"]["score"]


@of_kind("match_end")
def test_match_end(vector):
    rules = rules_of(
        vector, target=vector["target"], schneider_below=1500 if vector["target"] == 3000 else None
    )
    contract, carry = parse_contract(vector["mode"]), tuple(vector["carry"])
    expect = vector["expect"]
    match = in_play(rules, contract, totals=carry)
    if "claim_by" in vector:
        points, last = vector["tricks_points_so_far"], vector["last_trick_team"]
        won = vector.get("tricks_won", [1, 1])
        tricks = [trick(side, 0) for side in (1 - last, last) for _ in range(won[side])]
        for side in (0, 1):
            if won[side]:
                tricks[next(i for i, each in enumerate(tricks) if each.winner == side)] = trick(
                    side, points[side]
                )
        events = decide(replace(match, tricks=tuple(tricks), leader=last), Claim(vector["claim_by"]))
        ended = events[-1]
        assert ended.winner == expect["winner"]
        assert ended.by is {"claim_ok": EndedBy.CLAIM, "false_claim": EndedBy.FALSE_CLAIM}[expect["reason"]]
    elif "deal_complete" in vector:
        last = vector["last_trick_team"]
        tricks = (trick(1 - last, vector["card_points"][1 - last]), trick(last, vector["card_points"][last]))
        match = replace(match, tricks=tricks)
        ended = scoring.ending_after_deal(apply(match, scoring.deal_score(match)))
        assert (ended.winner, list(ended.totals)) == (expect["winner"], expect["totals"])
    elif "first_trick" in vector:
        first = trick(vector["first_trick"]["team"], vector["first_trick"]["points"])
        weis = tuple(weis_worth_20(side) for side, raw in enumerate(vector["weis_raw"]) if raw)
        (ended,) = scoring.ending_after_trick(replace(match, tricks=(first,), weis_scored=weis))
        assert (ended.winner, ended.by) == (expect["winner"], EndedBy(expect["by"]))
    else:
        if "stoeck" in vector:
            pair = mask_of(cards([f"{vector['mode']}O", f"{vector['mode']}K"]))
            holder = vector["stoeck"]["team"]
            dealt = tuple(pair if seat == holder else 0 for seat in range(4))
            match = replace(match, dealt=dealt, hands=dealt)
        for number, each in enumerate(vector["tricks"], start=1):
            match = replace(match, tricks=(*match.tricks, trick(each["team"], each["points"])))
            events = scoring.ending_after_trick(match)
            assert bool(events) == (number == expect["after_trick"])
        ended = events[-1]
        assert isinstance(ended, MatchEnded)
        assert ended.winner == expect["winner"]
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
