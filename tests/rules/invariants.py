"""What holds in every match of either game, and a hypothesis machine that plays both in any legal order."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from jasshaus.rules.core.cards import (
    DEAL_POINTS,
    FULL_DECK,
    SEATS,
    Contract,
    cards_in,
    format_card,
    mask_of,
)
from jasshaus.rules.core.options import FirstForehand, RuleSet, Variant
from jasshaus.rules.core.refusals import Reason, RuleViolation
from jasshaus.rules.core.weis import Weis, WeisKind
from jasshaus.rules.differenzler import Announce, PenaltiesScored
from jasshaus.rules.registry import (
    Command,
    Event,
    Match,
    PendingKind,
    advance,
    claimants,
    decide,
    legal_actions,
    new_match,
    pending,
    replay,
    winning_seats,
)
from jasshaus.rules.schieber import (
    ChooseContract,
    Claim,
    DealScored,
    DealStarted,
    DeclareWeis,
    PlayCard,
    Push,
    StartDeal,
)
from rules import brute_weis
from rules.conftest import Played, random_command
from rules.layouts import SUITS_APART
from rules.literal_differenzler import Differenzler
from rules.literal_schieber import Schieber
from rules.schieber_layouts import WEIS

SETTINGS = settings(
    max_examples=80,
    stateful_step_count=45,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def check_cards(match: Match) -> None:
    """No card twice, none lost, hands of the right size; the points of nine tricks are 157."""
    if match.deal == 0:
        return
    played = [card for trick in match.tricks for card in trick.cards] + list(match.table)
    held = sum(hand.bit_count() for hand in match.hands)
    assert len(played) + held == 36
    assert mask_of(played) | match.hands[0] | match.hands[1] | match.hands[2] | match.hands[3] == FULL_DECK
    points = sum(trick.points for trick in match.tricks)
    assert points == DEAL_POINTS if len(match.tricks) == 9 else points <= DEAL_POINTS


def check_offers(match: Match) -> Counter[Reason]:
    """Ask about every card and action of every seat: what is offered is accepted and all else refused.

    Gives how often each reason was met, so that a test can tell what it has asked about.
    """
    met: Counter[Reason] = Counter()
    asked = [*deals(match)]
    for seat in SEATS:
        legal = legal_actions(match, seat)
        asked += [(PlayCard(seat, card), card in legal.cards) for card in range(36)]
        asked += [(ChooseContract(seat, contract), contract in legal.contracts) for contract in Contract]
        asked += [(Push(seat), may_push(match, seat)), (Claim(seat), may_claim(match, seat))]
        asked += [(Announce(seat, points), legal.can_announce) for points in (0, 80, 157)]
        asked += [(Announce(seat, points), False) for points in (-1, 158, 1000)]
        # To say nothing is allowed as long as one may declare, whatever one holds.
        asked.append((DeclareWeis(seat), legal.can_declare_weis or may_say_nothing(match, seat)))
        lists = [legal.weis_recommended or (WEIS[("E6", "E7", "E8")],), *((weis,) for weis in legal.weis)]
        asked += [(DeclareWeis(seat, weis), bool(legal.weis) and legal.can_declare_weis) for weis in lists]
        if legal.can_declare_weis:
            asked += [(DeclareWeis(seat, weis), allowed) for weis, allowed in weis_lists(match, seat)]
        assert legal.can_push == may_push(match, seat)
        assert legal.can_claim == may_claim(match, seat)
        assert set(legal.illegal).isdisjoint(legal.cards)
        assert mask_of([*legal.illegal, *legal.cards]) == match.hands[seat]
    for command, offered in asked:
        reason = refusal(match, command)
        assert (reason is None) == offered, (command, reason)
        if reason is not None:
            met[reason] += 1
    return met


def refusal(match: Match, command: Command) -> Reason | None:
    try:
        assert decide(match, command)
    except RuleViolation as refused:
        return refused.reason
    return None


def deals(match: Match) -> Iterator[tuple[Command, bool]]:
    """Return deals in and out of time, by decks and forehands that are right and wrong."""
    due = bool(pending(match)) and pending(match)[0].kind is PendingKind.DEAL
    drawn = match.deal == 0 and match.rules.first_forehand is FirstForehand.RANDOM
    twice = (*SUITS_APART[:35], SUITS_APART[0])
    for deck in (SUITS_APART, twice, SUITS_APART[:35], (*SUITS_APART, 0)):
        for forehand in (None, 0, 3, 4, -1):
            right = forehand in SEATS if drawn else forehand is None
            yield StartDeal(deck, forehand), due and right and deck is SUITS_APART


def may_push(match: Match, seat: int) -> bool:
    """Say it again: forehand may, while the contract is due and as long as it has not; nobody back."""
    contract_due = [each.seat for each in pending(match) if each.kind is PendingKind.CONTRACT]
    return bool(contract_due) and seat == match.forehand and not match.pushed


def may_say_nothing(match: Match, seat: int) -> bool:
    """Say it again: at the own first card, where players declare there, before a declaration."""
    if match.rules.weis_when != "own_first_card" or match.tricks:
        return False
    return [(seat, PendingKind.CARD)] == [(each.seat, each.kind) for each in pending(match)] and (
        match.declared[seat] is None
    )


def may_claim(match: Match, seat: int) -> bool:
    """Say it again: between tricks 1 and 8 and the next lead, at a table of claims, after whose trick."""
    if match.rules.variant is not Variant.SCHIEBER or match.rules.finish != "claim" or match.outcome:
        return False
    if match.table or not 1 <= len(match.tricks) <= 8:
        return False
    return match.rules.claim_when == "any" or match.tricks[-1].winner % 2 == seat % 2


def weis_lists(match: Match, seat: int) -> Iterator[tuple[tuple[Weis, ...], bool]]:
    """Return lists of Weis for a seat that may declare, and whether the brute force allows them.

    Every combination there is alone, in hand or not; of those in hand every two, and each twice; and cards
    in hand that make none.
    """
    hand = {format_card(card) for card in cards_in(match.dealt[seat])}
    found = brute_weis.combinations(hand, match.rules)
    for each, weis in WEIS.items():
        yield (weis,), each in found
        yield (Weis(WeisKind(1 - weis.kind), weis.cards),), False
    for one, other in itertools.product(found, repeat=2):
        allowed = one != other and brute_weis.go_together(one, other, hand, match.rules)
        yield (WEIS[one], WEIS[other]), allowed
    held = cards_in(match.dealt[seat])
    for kind in WeisKind:
        yield (Weis(kind, mask_of(held[:2])),), False
        yield (Weis(kind, mask_of((held[0], held[4], held[8]))),), False
        yield (Weis(kind, 0),), False


def check_replayed(start: Match, events: list[Event], match: Match) -> None:
    """Events give the same state again, bit for bit: equal enums and texts would not do."""
    again = replay(start, events)
    assert again == match
    assert repr(again) == repr(match)


def check_ended(played: Played) -> None:
    """A match that ended did so once, by its last event, as the literal reading says, and awaits no more."""
    outcome = played.match.outcome
    check_replayed(played.start, played.events, played.match)
    assert [event for event in played.events if type(event) is type(outcome)] == [outcome]
    assert played.events[-1] == outcome
    check_cards(played.match)
    assert pending(played.match) == ()
    assert claimants(played.match) == ()
    check_winner(played)


def check_winner(played: Played) -> None:
    """Exactly one side or seat won: who does by the second reading, told the same commands."""
    match, rules = played.match, played.match.rules
    literal = (Schieber if rules.variant is Variant.SCHIEBER else Differenzler)(rules)
    for command in played.commands:
        assert literal.outcome is None, "it went on after its end"
        literal.do(command)
    assert literal.outcome is not None, "it ended too early"
    winner = literal.outcome[0]
    assert match.outcome.winner == winner
    assert winning_seats(match) == ((winner,) if len(match.totals) == 4 else (winner, winner + 2))
    assert match.outcome.totals == match.totals == literal.outcome[-1 if len(match.totals) == 4 else 2]
    if isinstance(literal, Schieber):
        assert (match.outcome.by, match.outcome.schneider) == (literal.outcome[1], literal.outcome[3])


@st.composite
def decks(draw) -> tuple[int, ...]:
    """Shuffle the cards, or packets of three of a suit: hands full of runs; perhaps four of a kind in one."""
    if draw(st.booleans()):
        deck = list(draw(st.permutations(range(36))))
    else:
        packets = draw(st.permutations(range(12)))
        deck = [3 * packet + card for packet in packets for card in range(3)]
    kind = draw(st.none() | st.integers(0, 8))
    if kind is not None:
        # The first and the fifth packet of three go to the same seat.
        for suit, place in enumerate((0, 1, 2, 12)):
            other = deck.index(9 * suit + kind)
            deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


class Machine(RuleBasedStateMachine):
    """Deals and cards of a match; a game adds its options, its decisions and a look at its events.

    Whatever a run of the machine left open is played on to the end of the match: that is where it is proved.
    """

    match: Match
    met: ClassVar[Counter[Reason]]  # the refusals met in all runs of a machine
    ends: ClassVar[Counter[str]]  # the ways its matches ended
    scored: ClassVar[Counter[int]]  # how many matches scored so many deals

    def __init_subclass__(cls) -> None:
        cls.met, cls.ends, cls.scored = Counter(), Counter(), Counter()

    def sit_down_at(self, rules: RuleSet) -> None:
        self.match = self.start = new_match(rules)
        self.commands: list[Command] = []
        self.events: list[Event] = []

    def saw(self, event: Event, before: Match) -> None:
        """Look at an event of a command that was given to the match `before`."""

    def do(self, command: Command) -> None:
        before = self.match
        self.match, events = advance(before, command)
        assert events
        self.commands.append(command)
        self.events += events
        for event in events:
            self.saw(event, before)

    def due(self, kind: PendingKind) -> list[int | None]:
        return [each.seat for each in pending(self.match) if each.kind is kind]

    @precondition(lambda self: self.due(PendingKind.DEAL))
    @rule(deck=decks(), forehand=st.integers(0, 3))
    def deal(self, deck, forehand):
        drawn = self.match.deal == 0 and self.match.rules.first_forehand is FirstForehand.RANDOM
        self.do(StartDeal(deck, forehand if drawn else None))

    @precondition(lambda self: self.due(PendingKind.CARD))
    @rule(choice=st.integers(0, 8), more=st.integers(0, 20))
    def play(self, choice, more):
        """Play a card, and then so many cards more by the same choice: deals would be too long otherwise."""
        for _ in range(1 + more):
            if not self.due(PendingKind.CARD):
                return
            (seat,) = self.due(PendingKind.CARD)
            cards = legal_actions(self.match, seat).cards
            self.do(PlayCard(seat, cards[choice % len(cards)]))

    @rule()
    def ask_everything(self):
        self.met.update(check_offers(self.match))

    @invariant()
    def cards_are_conserved(self):
        if hasattr(self, "match"):
            check_cards(self.match)

    def teardown(self):
        if not hasattr(self, "match"):
            return
        rng = random.Random(len(self.events))
        while self.match.outcome is None:
            assert self.match.deal < 40, "a match of few points or rounds goes on and on"
            self.do(random_command(rng, self.match, claims=0.05))
            if rng.random() < 0.08:
                self.met.update(check_offers(self.match))
            check_cards(self.match)
        self.met.update(check_offers(self.match))
        check_ended(Played(self.start, self.match, self.commands, self.events))
        scored = sum(isinstance(event, DealScored | PenaltiesScored) for event in self.events)
        begun = sum(isinstance(event, DealStarted) for event in self.events)
        way = getattr(self.match.outcome, "by", "rounds")
        assert begun == self.match.deal == scored + (way not in {"deal", "rounds"}), "a deal did not end"
        self.ends[str(way)] += 1
        self.scored[scored] += 1
