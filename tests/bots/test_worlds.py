"""What the strong bot concludes of hidden hands, and the deals it draws from that."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from jasshaus.bots import BOTS
from jasshaus.bots.core.knowledge import Knowledge, Plays, knowledge, plays_of, shown_voids
from jasshaus.bots.core.playout import setting
from jasshaus.bots.core.worlds import Worlds
from jasshaus.bots.schieber.calling import called
from jasshaus.bots.schieber.inference import know
from jasshaus.bots.schieber.likely import LikelyWorlds
from jasshaus.bots.schieber.plausible import Plausibility
from jasshaus.rules.core.cards import FULL_DECK, SUIT_MASKS, Contract, mask_of, parse_card
from jasshaus.rules.core.options import FirstForehand, Undertrump, rule_set
from jasshaus.rules.core.weis import best_declaration, notice_of
from jasshaus.rules.registry import view
from jasshaus.rules.schieber import ChooseContract, Push, StartDeal, decide, new_match, pending, replay


def cards(text: str) -> list[int]:
    return [parse_card(each) for each in text.split()]


def joined(hand) -> int:
    return sum(ranks << 9 * suit for suit, ranks in enumerate(hand))


@pytest.mark.parametrize(
    ("trick", "undertrump", "seat", "void"),
    [
        ("E7 S8 E9 ET", "forbidden", 1, SUIT_MASKS[0]),  # did not follow
        ("E7 R8 E9 ET", "forbidden", 1, 0),  # trumped, which says nothing of acorns
        ("R7 E8 R9 RT", "forbidden", 1, SUIT_MASKS[1] & ~mask_of(cards("RU"))),  # may still hold the Under
        ("E7 RA R6 ET", "forbidden", 2, FULL_DECK & ~SUIT_MASKS[1]),  # undertrumped: nothing but trumps
        ("E7 RA R6 ET", "void_only", 2, SUIT_MASKS[0]),
        ("E7 RA R6 ET", "allowed", 2, 0),
        ("E7 RA R9 ET", "forbidden", 2, 0),  # overtrumped
    ],
)
def test_a_card_proves_what_its_player_cannot_hold(trick, undertrump, seat, void):
    voids = shown_voids([Plays(0, cards(trick))], Contract.ROSES, Undertrump(undertrump))
    assert voids[seat] == void
    assert sum(bool(each) for each in voids) == bool(void)


def test_every_draw_fits_and_no_true_deal_is_ruled_out(random_positions):
    for match, seat in random_positions(60):
        known = know(view(match, seat), seat)
        for other in range(4):
            assert not match.hands[other] & known.voids[other], "a true hand has nothing proven absent"
            assert not known.known[other] & ~match.hands[other]
            for choices in known.sets[other] if other != seat else ():
                assert any(not choice & ~match.dealt[other] for choice in choices)
            assert known.fits(other, match.dealt[other])
            assert known.told[other] != () or not best_declaration(
                match.dealt[other], match.contract, match.rules
            )
        worlds = Worlds(known, random.Random(1))
        for _ in range(20):
            hands = [joined(hand) for hand in worlds.draw()]
            assert hands[seat] == match.hands[seat]
            assert hands[0] | hands[1] | hands[2] | hands[3] == known.unseen | known.hand
            for other, hand in enumerate(hands):
                assert hand.bit_count() == match.hands[other].bit_count()
                assert not hand & known.voids[other] or other == seat
                assert not known.known[other] & ~hand
                for choices in known.sets[other]:
                    assert any(not choice & ~(hand | known.played[other]) for choice in choices)


@pytest.fixture
def random_positions():
    """Return positions of greedy play, each with a seat that is to play."""

    def draw(count):
        rng = random.Random(3)
        for number in range(count):
            preset = ["schieber-classic", "schieber-3000", "schieber-partner"][number % 3]
            rules = rule_set(preset, {"finish": "automatic", "target": 10_000})
            drawn = rules.first_forehand is FirstForehand.RANDOM
            deck = tuple(rng.sample(range(36), 36))
            match = new_match(rules)
            match = replay(match, decide(match, StartDeal(deck, number % 4 if drawn else None)))
            stop = rng.randrange(36)
            while match.contract is None or None in match.declared or len(match.tricks) * 4 < stop:
                seat = pending(match)[0].seat
                match = replay(match, decide(match, BOTS["greedy"](view(match, seat), 0)))
                if match.tricks and len(match.tricks) == 9:
                    break
            if len(match.tricks) < 9:
                yield match, match.player

    return draw


def test_every_deal_that_fits_is_drawn_as_often():
    # Three cards, one each: seat 1 has no acorns, so E6 goes to seats 2 or 3: four deals.
    known = Knowledge(
        seat=0,
        hand=0,
        unseen=mask_of(cards("E6 R6 S6")),
        sizes=(0, 1, 1, 1),
        voids=(0, SUIT_MASKS[0], 0, 0),
        known=(0, 0, 0, 0),
        played=(0, 0, 0, 0),
    )
    worlds = Worlds(known, random.Random(2))
    drawn = Counter(tuple(map(joined, worlds.draw())) for _ in range(4000))
    assert len(drawn) == 4
    assert 880 < min(drawn.values()) <= max(drawn.values()) < 1120


def test_two_voids_are_weighed_by_the_deals_they_leave():
    # Seat 1 may hold only the two acorns or the one rose, of which it takes two; seat 2 and 3 the rest.
    known = Knowledge(
        seat=0,
        hand=0,
        unseen=mask_of(cards("E6 E7 R6 S6 S7 S8")),
        sizes=(0, 2, 2, 2),
        voids=(0, SUIT_MASKS[2], 0, SUIT_MASKS[0]),
        known=(0, 0, 0, 0),
        played=(0, 0, 0, 0),
    )
    worlds = Worlds(known, random.Random(2))
    drawn = Counter(tuple(map(joined, worlds.draw())) for _ in range(9000))
    expected = set()
    for seed in range(3000):
        pool = random.Random(seed).sample(cards("E6 E7 R6 S6 S7 S8"), 6)
        hands = (0, mask_of(pool[:2]), mask_of(pool[2:4]), mask_of(pool[4:]))
        if not any(hand & void for hand, void in zip(hands, known.voids, strict=True)):
            expected.add(hands)
    assert set(drawn) == expected
    mean = 9000 / len(expected)
    assert 0.8 * mean < min(drawn.values()) <= max(drawn.values()) < 1.2 * mean


def test_hands_that_do_not_make_a_deal_are_refused():
    known = Knowledge(0, 0, mask_of(cards("E6 R6")), (0, 1, 1, 1), (0,) * 4, (0,) * 4, (0,) * 4)
    with pytest.raises(ValueError, match="do not fill"):
        Worlds(known, random.Random(1))


def test_contradictory_declarations_do_not_stop_the_draws():
    same = ((mask_of(cards("E6 E7 E8")),),)
    known = Knowledge(
        0, 0, mask_of(cards("E6 E7 E8 R6 R7 R8 S6 S7 S8")), (0, 3, 3, 3), (0,) * 4, (0,) * 4, (0,) * 4
    )
    worlds = Worlds(replace(known, sets=((), same, same, ())), random.Random(1))
    assert sum(joined(hand).bit_count() for hand in worlds.draw()) == 9


def indifferent(_seat, _dealt):
    return 1.0


def test_a_rich_trick_not_trumped_makes_trumps_less_plausible():
    game = setting(Contract.ROSES, None, Undertrump.FORBIDDEN, chooser=0)
    tricks = [Plays(1, cards("SA ST S6 E6"))]  # seat 0, last to play, lets 21 points go
    known = knowledge(2, cards("B7"), (1, 1, 1, 1), tricks, (0,) * 4, (0,) * 4)
    plausible = Plausibility(known, game, tricks, indifferent)
    assert plausible.of(0, mask_of(cards("R7"))) < plausible.of(0, mask_of(cards("B9")))


def test_deals_are_drawn_as_often_as_they_are_plausible():
    # Three cards, one each: six deals. Holding acorns is thrice as plausible of seat 1 as anything else.
    known = Knowledge(0, 0, mask_of(cards("E6 R6 S6")), (0, 1, 1, 1), (0,) * 4, (0,) * 4, (0,) * 4)
    game = setting(Contract.BELLS, None, Undertrump.FORBIDDEN, -1)

    def likes_acorns(seat, dealt):
        return 3.0 if seat == 1 and dealt & SUIT_MASKS[0] else 1.0

    worlds = LikelyWorlds(known, Plausibility(known, game, (), likes_acorns), random.Random(4))
    drawn = Counter(joined(worlds.draw()[1]) for _ in range(5000))
    assert drawn[mask_of(cards("E6"))] == pytest.approx(3000, rel=0.08)
    assert drawn[mask_of(cards("R6"))] == pytest.approx(1000, rel=0.15)


def test_a_plausible_draw_still_fits_all_that_is_proven(random_positions):
    for match, seat in random_positions(40):
        seen = view(match, seat)
        known = know(seen, seat)
        game = setting(match.contract, None, seen.rules.undertrump, match.chooser)
        tricks = plays_of(seen.tricks, seen.leader, seen.table)
        worlds = LikelyWorlds(known, Plausibility(known, game, tricks, called(seen)), random.Random(1))
        for _ in range(30):
            hands = [joined(hand) for hand in worlds.draw()]
            assert hands[seat] == match.hands[seat]
            assert hands[0] | hands[1] | hands[2] | hands[3] == known.unseen | known.hand
            for other, hand in enumerate(hands):
                assert hand.bit_count() == match.hands[other].bit_count()
                assert not hand & known.voids[other] or other == seat
                assert not known.known[other] & ~hand
                for choices in known.sets[other]:
                    assert any(not choice & ~(hand | known.played[other]) for choice in choices)


def calls(*commands):
    """Return how likely each hand was to call what was called, in a view of seat 1 after these calls."""
    rules = rule_set("schieber-classic", {"finish": "automatic", "target": 10_000})
    match = new_match(rules)
    match = replay(match, decide(match, StartDeal(tuple(random.Random(5).sample(range(36), 36)), 0)))
    for command in commands:
        match = replay(match, decide(match, command))
    return called(view(match, 1))


GOOD_SHIELDS = mask_of(cards("SU S9 SA SO ST S8 E9 RT BU"))
GOOD_BELLS = mask_of(cards("BU B9 BA BO BT B8 E9 RT SU"))
POOR = mask_of(cards("E7 E8 ET R8 RT S8 ST B8 BT"))


def test_who_names_a_suit_is_likely_to_be_good_in_it():
    chance = calls(ChooseContract(0, Contract.SHIELDS))
    assert chance(0, GOOD_SHIELDS) > 5 * max(chance(0, GOOD_BELLS), chance(0, POOR))
    assert chance(2, GOOD_SHIELDS) == chance(2, POOR), "the partner was not asked"


def test_a_hand_that_the_rules_would_not_have_named_with_is_held_possible():
    """Somebody who names what the hand is best at, and never pushes, must not be taken for another hand."""
    too_poor_to_name = mask_of(cards("SK SO ST S8 E9 E7 RT R8 B7"))
    chance = calls(ChooseContract(0, Contract.SHIELDS))
    assert chance(0, too_poor_to_name) > chance(0, GOOD_SHIELDS) / 5
    # Its worth in bells is a little less, and bells count as much; in Obenabe it would count more.
    assert chance(0, too_poor_to_name) > 2 * chance(0, mask_of(cards("BK BO BT B8 E9 E7 RT R8 S7")))


def test_who_pushes_is_likely_to_have_been_poor_and_the_partner_names_what_it_has():
    chance = calls(Push(0), ChooseContract(2, Contract.SHIELDS))
    assert chance(0, POOR) > 5 * chance(0, GOOD_SHIELDS)
    assert chance(2, GOOD_SHIELDS) > 5 * chance(2, GOOD_BELLS)
    assert min(chance(seat, hand) for seat in range(4) for hand in (POOR, GOOD_BELLS)) > 0


def test_the_tricks_of_a_view_are_read_with_the_one_on_the_table(random_positions):
    for match, seat in random_positions(5):
        seen = view(match, seat)
        tricks = plays_of(seen.tricks, seen.leader, seen.table)
        assert [len(trick.cards) for trick in tricks] == [4] * len(match.tricks) + [len(match.table)]


def test_what_the_table_makes_known_holds_in_every_deal_drawn(random_positions):
    # Under schieber-3000 the seven of roses makes its holder forehand, and the table declares the best Weis.
    checked = 0
    for match, seat in random_positions(45):
        if match.rules.first_forehand is not FirstForehand.ROSE7:
            continue
        seen = view(match, seat)
        known = know(seen, seat)
        game = setting(match.contract, None, Undertrump.FORBIDDEN, chooser=0)
        tricks = plays_of(seen.tricks, seen.leader, seen.table)
        worlds = LikelyWorlds(known, Plausibility(known, game, tricks, indifferent), random.Random(1))
        for _ in range(20):
            dealt = [joined(hand) | gone for hand, gone in zip(worlds.draw(), known.played, strict=True)]
            assert mask_of(cards("R7")) & dealt[match.forehand]
            best = [best_declaration(hand, match.contract, match.rules) for hand in dealt]
            told = [tuple(notice_of(weis, match.rules) for weis in each) for each in best]
            assert told == list(seen.notices)
            checked += 1
    assert checked > 100
