"""Nobody is sent a card they may not know, nor anything that depends on one."""

from __future__ import annotations

import random

import pytest

from jasshaus.api.table.v1 import table_pb2
from jasshaus.platform.errors import Fault
from jasshaus.rules import differenzler
from jasshaus.rules.core.cards import cards_in
from jasshaus.rules.core.dealing import deal
from jasshaus.rules.differenzler import Announce
from jasshaus.rules.schieber import ChooseContract, Command, DeclareWeis, Phase, PlayCard, Push, legal_actions
from jasshaus.table.decide import Play
from jasshaus.table.table import Status, awaited
from table.harness import PLAYERS, Harness, Replica, deciding, step, view_of
from table.secrecy import Twin, Witness

SHORT: list[tuple[str, dict[str, object]]] = [
    ("schieber-classic", {"target": 250}),
    ("schieber-partner", {"target": 250}),
    ("schieber-3000", {"target": 250, "schneider_below": 100}),
    ("differenzler-classic", {"rounds": 2}),
    ("differenzler-classic", {"rounds": 2, "announcements": "open"}),
    ("differenzler-swisslos", {"rounds": 1, "live_points": False}),
]
OVER = (table_pb2.TABLE_STATUS_FINISHED, table_pb2.TABLE_STATUS_VOIDED)


@pytest.mark.parametrize(("preset", "options"), SHORT)
async def test_no_message_says_what_its_receiver_may_not_know(
    harness: Harness, replica: Replica, preset: str, options: dict[str, object]
) -> None:
    table_id = await harness.table(replica, preset, **options)
    witnesses = [Witness(seat) for seat in range(4)]
    streams = [replica.as_(player).watch(table_id) for player in PLAYERS]
    for stream, witness in zip(streams, witnesses, strict=True):
        witness.check(await stream.next())
    while True:
        view = await replica.service.get(table_id)
        assert not view.hand
        probed = view.version % 7 == 1
        if view.status == table_pb2.TABLE_STATUS_PLAYING:
            for seat, player in enumerate(PLAYERS if probed else ()):
                stale = table_pb2.Action(play_card=table_pb2.Action.PlayCard(card=1 + view.version % 36))
                with pytest.raises(Fault) as refused:
                    await replica.as_(player).act(table_id, stale, version=view.version + 9)
                detail = refused.value.detail(table_pb2.TableView)
                assert detail is not None
                witnesses[seat].check_view(detail)
                if seat not in deciding(view):
                    with pytest.raises(Fault) as refused:
                        await replica.as_(player).act(table_id, stale)
                    assert not refused.value.details
                    assert not refused.value.metadata
            await step(replica, table_id)
        version = (await replica.service.get(table_id)).version
        for stream, witness in zip(streams, witnesses, strict=True):
            while True:
                update = await stream.next()
                witness.check(update)
                if view_of(update).version >= version or view_of(update).status in OVER:
                    break
        if view_of(update).status in OVER:
            assert all(witness.announcements for witness in witnesses) == preset.startswith("diff")
            return


def _twins(rng: random.Random, preset: str, **options: object) -> tuple[Twin, Twin, tuple[int, int]] | None:
    """Two tables: two cards of one suit, not the deck's last, have changed places between seats 1 to 3."""
    deck = list(range(36))
    rng.shuffle(deck)
    forehand = rng.randrange(4)
    hands = deal(deck, (forehand + 3) % 4)
    one, other = rng.sample([1, 2, 3], 2)
    pairs = [
        (a, b)
        for a in cards_in(hands[one])
        for b in cards_in(hands[other])
        if a // 9 == b // 9 and deck[-1] not in (a, b)
    ]
    if not pairs:
        return None
    first, second = rng.choice(pairs)
    swapped = [second if card == first else first if card == second else card for card in deck]
    twins = (Twin(tuple(each), preset, forehand, **options) for each in (deck, swapped))
    return next(twins), next(twins), (first, second)


def _common_command(rng: random.Random, twins: tuple[Twin, Twin], hidden: tuple[int, int]) -> Command | None:
    """What may be done at both tables without touching the cards in which they differ."""
    a, b = twins
    seat = awaited(a.current.table)[0].seat
    assert seat is not None
    if a.match.phase is Phase.CONTRACT:
        if not a.match.pushed and rng.random() < 0.3:
            return Push(seat)
        return ChooseContract(seat, rng.choice(legal_actions(a.match, seat).contracts))
    mine, theirs = legal_actions(a.match, seat), legal_actions(b.match, seat)
    if mine.can_declare_weis:
        # A declaration is the declarer's own choice; they may always say nothing.
        return DeclareWeis(seat, mine.weis_recommended if seat == 0 else ())
    both = [card for card in mine.cards if card in theirs.cards and card not in hidden]
    return PlayCard(seat, rng.choice(both)) if both else None


@pytest.mark.parametrize("preset", ["schieber-classic", "schieber-partner"])
def test_nothing_received_depends_on_cards_not_seen(preset: str) -> None:
    rng, compared = random.Random(7), 0
    for _ in range(30):
        made = _twins(rng, preset)
        if made is None:
            continue
        a, b, hidden = made
        while a.current.table.status is Status.PLAYING:
            for twin in (a, b):
                # What is refused is refused alike, and says the same.
                for card in range(0, 36, 5):
                    if not a.match.hands[0] >> card & 1:
                        twin.do(Play(0, PlayCard(0, card)))
                twin.leave_and_come_back()
            command = _common_command(rng, (a, b), hidden)
            if command is None:
                break
            for twin in (a, b):
                twin.do(Play(command.seat, command))
            assert a.received == b.received
            compared += len(a.received)
            a.received, b.received = [], []
            if len(a.match.tricks) > 7:
                break
    assert compared > 500


@pytest.mark.parametrize("options", [{}, {"live_points": False}])
def test_nothing_received_depends_on_hidden_announcements_or_cards_not_seen(options: dict[str, bool]) -> None:
    rng, compared = random.Random(3), 0
    for number in range(30):
        made = _twins(rng, "differenzler-classic", **options)
        if made is None:
            continue
        a, b, hidden = made
        # In every other pair the cards are the same, only what others announce is not.
        if number % 2:
            b, hidden = Twin(a.deck, "differenzler-classic", a.forehand, **options), (-1, -1)
        order = rng.sample(range(4), 4)
        for seat in order:
            figure = rng.randrange(158)
            a.do(Play(seat, Announce(seat, figure)))
            b.do(Play(seat, Announce(seat, figure if seat == 0 else rng.randrange(158))))
            for twin in (a, b):
                # Too early, too late, or twice: refused alike.
                twin.do(Play(0, Announce(0, 50)))
                twin.do(Play(0, PlayCard(0, cards_in(twin.match.hands[0])[0])))
                twin.leave_and_come_back()
            assert a.received == b.received
        while len(a.match.tricks) < 8:
            command = _common_card(rng, (a, b), hidden)
            if command is None:
                break
            for twin in (a, b):
                twin.do(Play(command.seat, command))
            assert a.received == b.received
            compared += len(a.received)
            a.received, b.received = [], []
    assert compared > 500


def _common_card(rng: random.Random, twins: tuple[Twin, Twin], hidden: tuple[int, int]) -> PlayCard | None:
    a, b = twins
    seat = a.match.player
    theirs = differenzler.legal_actions(b.match, seat).cards
    both = [
        card
        for card in differenzler.legal_actions(a.match, seat).cards
        if card in theirs and card not in hidden
    ]
    return PlayCard(seat, rng.choice(both)) if both else None


def test_the_chain_that_covers_hidden_cards_is_in_no_message() -> None:
    made = None
    while made is None:
        made = _twins(random.Random(), "schieber-classic")
    twin, other, _ = made
    chain = twin.current.etag[8:]
    assert twin.current.etag != other.current.etag
    assert twin.current.nonce == other.current.nonce
    assert not any(chain in received for received in twin.received)


def test_nobody_learns_whether_a_seat_held_a_weis_it_did_not_declare() -> None:
    """At its own first card a seat without a Weis is not asked; for others it is as if it kept one back."""
    rng, compared, asked_differently = random.Random(5), 0, 0
    for _ in range(120):
        made = _twins(rng, "schieber-partner")
        if made is None:
            continue
        a, b, hidden = made
        while not a.match.tricks:
            seat = awaited(a.current.table)[0].seat
            assert seat is not None
            if a.match.phase is Phase.CONTRACT:
                command: Command | None = ChooseContract(seat, legal_actions(a.match, seat).contracts[0])
            else:
                mine, theirs = legal_actions(a.match, seat), legal_actions(b.match, seat)
                both = [card for card in mine.cards if card in theirs.cards and card not in hidden]
                command = PlayCard(seat, rng.choice(both)) if both else None
                asked_differently += mine.can_declare_weis != theirs.can_declare_weis
            if command is None:
                break
            for twin in (a, b):
                twin.do(Play(seat, command))
            assert a.received == b.received
            compared += len(a.received)
            a.received, b.received = [], []
    assert compared > 500
    assert asked_differently > 10
