"""Converts games to messages and stored JSON, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from google.protobuf.timestamp_pb2 import Timestamp

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.common.v1.money_pb2 import Quote as QuoteMessage
from jasshaus.api.common.v1.rules_pb2 import RuleSet as RuleSetMessage
from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.contracts.rules import rule_set_to_proto
from jasshaus.matchmaking.domain import SEATS, GameView, Hold, Quote, Result, Seat, SeatState, Status
from jasshaus.matchmaking.stuck import Stuck
from jasshaus.rules.core.options import RuleSet, Variant

_RULE_SETS: Final = 1024
_LENGTH_DELIMITED: Final = 2
_GAMES: Final = pb.ListOpenGamesResponse.GAMES_FIELD_NUMBER
_GAME: Final = pb.WatchLobbyResponse.GAME_FIELD_NUMBER
_SNAPSHOT: Final = pb.WatchLobbyResponse.SNAPSHOT_FIELD_NUMBER
_SNAPSHOT_GAMES: Final = pb.WatchLobbyResponse.Snapshot.GAMES_FIELD_NUMBER
_STATUS: Final = {
    Status.OPENING: pb.GAME_STATUS_OPEN,
    Status.OPEN: pb.GAME_STATUS_OPEN,
    Status.STARTING: pb.GAME_STATUS_STARTING,
    Status.PLAYING: pb.GAME_STATUS_PLAYING,
    Status.FINISHED: pb.GAME_STATUS_FINISHED,
    Status.CLOSED: pb.GAME_STATUS_CLOSED,
    Status.VOIDED: pb.GAME_STATUS_VOIDED,
}


def game_to_proto(view: GameView) -> pb.Game:
    """Return the game as every player may see it."""
    game, terms = view.game, view.game.terms
    taken = {seat.seat: seat for seat in view.seats}
    # Expose the table id only once the table exists.
    started = game.status not in {Status.OPENING, Status.OPEN, Status.STARTING}
    return pb.Game(
        game_id=str(terms.game_id),
        status=_STATUS[game.status],
        rule_set=_rule_set(terms.rules, terms.preset),
        quote=None if game.quote is None else _quote(game.quote, terms.rules.variant),
        seats=[_seat(seat, taken.get(seat)) for seat in SEATS],
        table_id=str(game.table_id) if started and game.table_id else "",
        opened_by=terms.opener,
        open_time=_timestamp(terms.open_time),
        expire_time=_timestamp(terms.expire_time),
        result=None if game.result is None else _result(game.result, terms.currency),
        version=view.version,
    )


def games_page(games: Iterable[bytes], next_page_token: str) -> pb.ListOpenGamesResponse:
    """Return a page of encoded games."""
    response = pb.ListOpenGamesResponse.FromString(_repeated(_GAMES, games))
    response.next_page_token = next_page_token
    return response


def game_update(game: bytes) -> pb.WatchLobbyResponse:
    """Return the lobby update for an encoded game."""
    return pb.WatchLobbyResponse.FromString(_repeated(_GAME, (game,)))


def snapshot_update(games: Iterable[bytes]) -> pb.WatchLobbyResponse:
    """Return the lobby's snapshot of encoded games."""
    return pb.WatchLobbyResponse.FromString(_repeated(_SNAPSHOT, (_repeated(_SNAPSHOT_GAMES, games),)))


def _repeated(number: int, messages: Iterable[bytes]) -> bytes:
    """Return encoded messages as a field of another message's encoding."""
    parts: list[bytes] = []
    for message in messages:
        parts += (_tag(number), _varint(len(message)), message)
    return b"".join(parts)


def _tag(number: int) -> bytes:
    return _varint(number << 3 | _LENGTH_DELIMITED)


def _varint(value: int) -> bytes:
    digits = bytearray()
    while value > 0x7F:  # noqa: PLR2004 - seven bits a byte
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    digits.append(value)
    return bytes(digits)


@lru_cache(maxsize=_RULE_SETS)
def _rule_set(rules: RuleSet, preset: str) -> RuleSetMessage:
    return rule_set_to_proto(rules, preset)


def _quote(quote: Quote, variant: Variant) -> QuoteMessage:
    """Return a game's quote: side payouts are for a winning side of two, which only Schieber has."""
    message = quote_to_proto(quote)
    if variant is not Variant.SCHIEBER:
        del message.side_payouts[:]
    return message


def _seat(number: int, seat: Seat | None) -> pb.GameSeat:
    if seat is None:
        return pb.GameSeat(seat=number)
    return pb.GameSeat(seat=number, player_id=seat.player, pending=seat.state is SeatState.RESERVED)


def _result(result: Result, currency: str) -> pb.GameResult:
    return pb.GameResult(
        winning_seats=result.winning_seats,
        payouts=[Amount(currency_code=currency, minor_units=units) for units in result.payouts],
        fee=None if result.fee is None else Amount(currency_code=currency, minor_units=result.fee),
        points=result.points,
        end_time=None if result.end_time is None else _timestamp(result.end_time),
    )


def result_from_proto(message: pb.GameResult, *, voided: bool) -> Result:
    """Return a reported result."""
    return Result(
        voided=voided,
        winning_seats=tuple(message.winning_seats),
        payouts=tuple(payout.minor_units for payout in message.payouts),
        fee=message.fee.minor_units if message.HasField("fee") else None,
        points=tuple(message.points),
        end_time=message.end_time.ToDatetime(UTC) if message.HasField("end_time") else None,
    )


def stuck_to_proto(stuck: Stuck) -> pb.StuckPot:
    """Return a pot that waits."""
    stray = stuck.stray
    return pb.StuckPot(
        pot_id=str(stray.pot_id),
        tenant=stray.tenant,
        reason=pb.StuckReason.Value(f"STUCK_REASON_{stray.why.name}"),
        detail=stray.detail,
        since=_timestamp(stuck.since),
        refund_time=None if stuck.refund_time is None else _timestamp(stuck.refund_time),
        game_status=pb.GAME_STATUS_UNSPECIFIED if stuck.status is None else _STATUS[stuck.status],
        table_id="" if stray.table_id is None else str(stray.table_id),
    )


def quote_to_proto(quote: Quote) -> QuoteMessage:
    """Return the quote as a message."""

    def amount(units: int) -> Amount:
        return Amount(currency_code=quote.currency, minor_units=units)

    return QuoteMessage(
        stake=amount(quote.stake),
        pot=amount(quote.pot),
        fee=amount(quote.fee),
        net=amount(quote.net),
        side_payouts=map(amount, quote.side_payouts),
        fee_schedule_version=quote.fee_schedule_version,
        fee_bps=quote.fee_bps,
    )


def quote_from_proto(message: QuoteMessage) -> Quote:
    """Return the wallet's quote."""
    return Quote(
        currency=message.stake.currency_code,
        stake=message.stake.minor_units,
        pot=message.pot.minor_units,
        fee=message.fee.minor_units,
        net=message.net.minor_units,
        side_payouts=tuple(payout.minor_units for payout in message.side_payouts),
        fee_schedule_version=message.fee_schedule_version,
        fee_bps=message.fee_bps,
    )


def quote_to_json(quote: Quote) -> dict[str, Any]:
    """Return the quote as stored."""
    return asdict(quote)


def quote_from_json(stored: Mapping[str, Any]) -> Quote:
    """Return a stored quote; fields added by a later release are dropped."""
    known = {field.name: stored[field.name] for field in fields(Quote)}
    return Quote(**{**known, "side_payouts": tuple(stored["side_payouts"])})


def holds_to_json(holds: tuple[Hold, ...]) -> list[dict[str, Any]]:
    """Return the four stakes as stored when a game starts."""
    return [
        {"seat": hold.seat, "player": hold.player, "reservation": str(hold.reservation)} for hold in holds
    ]


def holds_from_json(stored: list[Mapping[str, Any]]) -> tuple[Hold, ...]:
    """Return stored stakes."""
    return tuple(Hold(each["seat"], each["player"], UUID(each["reservation"])) for each in stored)


def result_to_json(result: Result) -> dict[str, Any]:
    """Return the result as stored."""
    end_time = None if result.end_time is None else result.end_time.isoformat()
    return {**asdict(result), "end_time": end_time}


def result_from_json(stored: Mapping[str, Any]) -> Result:
    """Return a stored result."""
    end_time = stored["end_time"]
    return Result(
        voided=stored["voided"],
        winning_seats=tuple(stored["winning_seats"]),
        payouts=tuple(stored["payouts"]),
        fee=stored["fee"],
        points=tuple(stored["points"]),
        end_time=None if end_time is None else datetime.fromisoformat(end_time),
    )


def _timestamp(moment: datetime) -> Timestamp:
    message = Timestamp()
    message.FromDatetime(moment)
    return message
