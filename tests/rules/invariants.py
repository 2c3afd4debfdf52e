"""What holds in every match of either game, and a hypothesis machine that plays both in any legal order."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from jasshaus.rules.cards import DEAL_POINTS, FULL_DECK, SEATS, Contract, mask_of
from jasshaus.rules.differenzler import Announce
from jasshaus.rules.game import (
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
)
from jasshaus.rules.options import FirstForehand, RuleSet
from jasshaus.rules.refusals import RuleViolation
from jasshaus.rules.schieber import ChooseContract, Claim, DeclareWeis, PlayCard, Push, StartDeal
from rules.conftest import Played

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


def check_offers(match: Match) -> None:
    """Ask about every card and action of every seat: what is offered is accepted and all else refused."""
    for seat in SEATS:
        legal = legal_actions(match, seat)
        asked: list[tuple[Command, bool]] = [
            (PlayCard(seat, card), card in legal.cards) for card in range(36)
        ]
        asked += [(ChooseContract(seat, contract), contract in legal.contracts) for contract in Contract]
        asked += [(Push(seat), legal.can_push), (Claim(seat), legal.can_claim)]
        lists = [(), legal.weis_recommended, *((weis,) for weis in legal.weis)]
        asked += [(DeclareWeis(seat, weis), legal.can_declare_weis) for weis in lists]
        asked += [(Announce(seat, points), legal.can_announce) for points in (0, 80, 157)]
        asked += [(Announce(seat, points), False) for points in (-1, 158)]
        for command, offered in asked:
            if offered:
                assert decide(match, command)
            else:
                with pytest.raises(RuleViolation):
                    decide(match, command)
        assert set(legal.illegal).isdisjoint(legal.cards)
        assert mask_of([*legal.illegal, *legal.cards]) == match.hands[seat]


def check_replayed(start: Match, events: list[Event], match: Match) -> None:
    """Events give the same state again, bit for bit: equal enums and texts would not do."""
    again = replay(start, events)
    assert again == match
    assert repr(again) == repr(match)


def check_ended(played: Played) -> None:
    """A match that ended did so once, by its last event, and awaits nothing more."""
    outcome = played.match.outcome
    check_replayed(played.start, played.events, played.match)
    assert [event for event in played.events if type(event) is type(outcome)] == [outcome]
    assert played.events[-1] == outcome
    check_cards(played.match)
    assert pending(played.match) == ()
    assert claimants(played.match) == ()


class Machine(RuleBasedStateMachine):
    """Deals and cards of a match; a game adds its options, its decisions and a look at its events."""

    match: Match

    def sit_down_at(self, rules: RuleSet) -> None:
        self.match = self.start = new_match(rules)
        self.events: list[Event] = []

    def saw(self, event: Event, before: Match) -> None:
        """Look at an event of a command that was given to the match `before`."""

    def do(self, command: Command) -> None:
        before = self.match
        self.match, events = advance(before, command)
        assert events
        self.events += events
        for event in events:
            self.saw(event, before)

    def due(self, kind: PendingKind) -> list[int | None]:
        return [each.seat for each in pending(self.match) if each.kind is kind]

    @precondition(lambda self: self.due(PendingKind.DEAL))
    @rule(deck=st.permutations(range(36)), forehand=st.integers(0, 3))
    def deal(self, deck, forehand):
        drawn = self.match.deal == 0 and self.match.rules.first_forehand is FirstForehand.RANDOM
        self.do(StartDeal(tuple(deck), forehand if drawn else None))

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
        check_offers(self.match)

    @invariant()
    def cards_are_conserved(self):
        if hasattr(self, "match"):
            check_cards(self.match)

    def teardown(self):
        if hasattr(self, "match"):
            check_replayed(self.start, self.events, self.match)
