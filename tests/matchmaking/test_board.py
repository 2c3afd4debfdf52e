"""The board of open games against a plain list of them, and its messages against protobuf's own."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.matchmaking import codec
from jasshaus.matchmaking.domain import Game, GameView, Seat, SeatState, Status, Terms
from jasshaus.matchmaking.lobby.board import Board, Notice
from jasshaus.rules.core.options import Variant, rule_set

PRESETS = ("schieber-classic", "differenzler-classic")
START = datetime(2026, 1, 1, tzinfo=UTC)


def view(number: int, *, changes: int, seats: int, status: Status = Status.OPEN, at: int = 0) -> GameView:
    """Return a game; its id, opening time and variant follow from its number."""
    preset = PRESETS[number % 2]
    opened = START + timedelta(milliseconds=number // 3)
    game_id = UUID(int=number * 7919 % 1000)
    terms = Terms(
        game_id, "t", "p", 0, UUID(int=1), preset, rule_set(preset), "CHF", 0, opened, opened + timedelta(1)
    )
    game = Game(
        terms, status, b"", None, None, None, (), None, False, False, None, None, None, None, changes
    )  # fmt: skip
    taken = (Seat(seat, f"p{seat}" * 40, UUID(int=seat), SeatState.HELD, 0) for seat in range(seats))
    return GameView(game, tuple(taken), at)


def pages(board: Board, variant: Variant | None, size: int) -> list[UUID]:
    found: list[UUID] = []
    after = ""
    while True:
        notices, after = board.page(variant, size, after)
        assert len(notices) == size or not after
        found += [notice.game_id for notice in notices]
        if not after:
            return found


@pytest.mark.parametrize("seed", range(5))
def test_a_board_lists_what_a_plain_list_has(seed: int):
    chance, board, model = random.Random(seed), Board(), dict[int, GameView]()
    for step in range(1, 600):
        number = chance.randrange(60)
        status = chance.choice([Status.OPEN] * 6 + [Status.STARTING, Status.CLOSED, Status.OPENING])
        fresh = view(number, changes=step, seats=chance.randrange(5), status=status)
        if chance.random() < 0.1:
            board.drop(fresh.game.game_id)
            model.pop(number, None)
            continue
        board.put(Notice.of(fresh))
        model[number] = fresh
        # What was read before and comes late changes nothing.
        if status is Status.OPEN and fresh.seats:
            board.put(Notice.of(view(number, changes=step - 1, seats=1)))
    opened = sorted(
        (each for each in model.values() if each.game.status is Status.OPEN and each.seats),
        key=lambda each: each.game.terms.order,
        reverse=True,
    )
    assert [notice.game_id for notice in board.newest(1000)] == [each.game.game_id for each in opened]
    assert [notice.game_id for notice in board.newest(3)] == [each.game.game_id for each in opened[:3]]
    assert dict(board.rows()) == {each.game.game_id: each.game.changes for each in opened}
    for variant in (None, *Variant):
        fitting = [
            each.game.game_id
            for each in opened
            if len(each.seats) < 4 and variant in {None, each.game.terms.rules.variant}
        ]
        assert fitting
        for size in (1, 4, 1000):
            assert pages(board, variant, size) == fitting


def test_the_place_of_a_game_that_is_gone_is_good_for_the_next_page():
    board = Board()
    notices = [Notice.of(view(number, changes=1, seats=1)) for number in range(0, 30, 3)]
    for notice in notices:
        board.put(notice)
    first, after = board.page(None, 4, "")
    board.drop(first[-1].game_id)
    second, _ = board.page(None, 4, after)
    assert [each.game_id for each in first + second] == [each.game_id for each in notices[:1:-1]]


def test_encoded_games_make_the_same_messages():
    views = [view(number, changes=number + 1, seats=number % 4, at=2**41) for number in range(40)]
    games = [codec.game_to_proto(each) for each in views]
    encoded = [Notice.of(each).message for each in views]
    assert codec.games_page(encoded, "next") == pb.ListOpenGamesResponse(games=games, next_page_token="next")
    assert codec.games_page([], "") == pb.ListOpenGamesResponse()
    for game, message in zip(games, encoded, strict=True):
        assert codec.game_update(message) == pb.WatchLobbyResponse(game=game)
    snapshot = pb.WatchLobbyResponse.Snapshot(games=games)
    assert codec.snapshot_update(encoded) == pb.WatchLobbyResponse(snapshot=snapshot)
    assert codec.snapshot_update([]).WhichOneof("update") == "snapshot"


def test_versions_order_rows_first_and_fit_a_signed_number():
    states = [
        view(0, changes=1, seats=1, at=0),
        view(0, changes=1, seats=1, at=1_800_000_000_000),
        view(0, changes=2, seats=1, at=0),
        view(0, changes=2**21 - 1, seats=1, at=2**42 - 1),
    ]
    versions = [each.version for each in states]
    assert versions == sorted(set(versions))
    far = replace(states[-1], seats_changed_at=2**60)
    assert far.version == versions[-1] < 2**63
