"""`jasshaus pots`: lists stuck stakes with the reason, and carries out an operator's decision."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from rich import box
from rich.table import Table
from rich.text import Text

from jasshaus.api.matchmaking.v1.matchmaking_pb2 import (
    Game,
    GameStatus,
    GetGameRequest,
    ListStuckPotsRequest,
    StuckPot,
    StuckReason,
)
from jasshaus.api.table.v1.table_pb2 import (
    AbortTableRequest,
    GetResultRequest,
    GetTableRequest,
    MatchResult,
    TableStatus,
    TableView,
)
from jasshaus.api.wallet.v1.wallet_pb2 import (
    ForceRefundPotRequest,
    ForceSettlePotRequest,
    GetPotRequest,
    ListOperatorActsRequest,
    ListPotsRequest,
    OperatorAct,
    Pot,
    PotState,
    RefundReason,
)
from jasshaus.cli.operator.office import Office, Output, ago, moment, plain, until
from jasshaus.cli.running import FAILED
from jasshaus.cli.words import money
from jasshaus.client.errors import NotFound
from jasshaus.contracts.rules import variant_from_proto
from jasshaus.rules.core.choices import Variant
from jasshaus.rules.registry import GAMES, sides_of

Confirm = Callable[[str], bool]
"""Asks for confirmation."""

_PAGE: Final = 200
_ACTS: Final = 50
_WHY_AT_TABLE: Final = 64
_UNFINISHED: Final = (PotState.POT_STATE_OPEN, PotState.POT_STATE_LOCKED)
_PLAYING: Final = TableStatus.TABLE_STATUS_PLAYING
_WHY: Final = {
    StuckReason.STUCK_REASON_UNSPECIFIED: "",
    StuckReason.STUCK_REASON_NO_GAME: "no game, and no known table",
    StuckReason.STUCK_REASON_GAME_OVER: "its game is over",
    StuckReason.STUCK_REASON_NO_TABLE: "its table is missing",
    StuckReason.STUCK_REASON_REFUSED: "a service refuses the necessary step",
    StuckReason.STUCK_REASON_UNANSWERED: "a service does not answer",
    StuckReason.STUCK_REASON_OTHER_END: "it ended differently from its game",
}


@dataclass(frozen=True, slots=True)
class Case:
    """A pot with its game, table and result; None and 0 where there is none."""

    pot: Pot
    stuck: StuckPot | None
    game: GameStatus.ValueType
    variant: Variant | None = None
    table: TableView | None = None
    result: MatchResult | None = None

    @property
    def is_over(self) -> bool:
        """Whether it holds no money."""
        return self.pot.state not in _UNFINISHED

    @property
    def is_played(self) -> bool:
        """Whether its match is running."""
        return self.table is not None and self.table.status == _PLAYING

    @property
    def winners(self) -> Sequence[int]:
        """Return the winners according to the table, or its result record."""
        if self.table is not None:
            return self.table.outcome.winning_seats
        return () if self.result is None else self.result.winning_seats

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """Return the sets of seats that can have won together; those of all games if the pot's is unknown."""
        known = tuple(game.variant for game in GAMES) if self.variant is None else (self.variant,)
        return tuple(side for variant in known for side in sides_of(variant))


async def show_list(office: Office, output: Output, *, only_stuck: bool) -> int:
    """Print the open and locked pots; return 0 in any case."""
    stuck = {each.pot_id: each async for each in _stuck(office)}
    pots = [pot async for pot in _unfinished(office) if pot.pot_id in stuck or not only_stuck]
    pots += [await _pot(office, each.pot_id, each) for each in stuck.values() if _has_other_end(each)]
    output.value(
        [
            {"pot": plain(pot), "stuck": plain(stuck[pot.pot_id]) if pot.pot_id in stuck else None}
            for pot in pots
        ]
    )
    if not pots:
        output.line("No stakes are stuck." if only_stuck else "No pot is open or locked.")
        return 0
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("pot", no_wrap=True, overflow="fold")
    for name in ("state", "age", "stakes", "why it waits", "what happens next"):
        table.add_column(name)
    for pot in pots:
        table.add_row(*map(Text, _row(pot, stuck.get(pot.pot_id))))
    if not output.as_json:
        output.console.print(table)
    waiting = sum(1 for pot in pots if pot.pot_id in stuck)
    output.line(f"{len(pots)} {'pot' if len(pots) == 1 else 'pots'}, {waiting} stuck.")
    return 0


async def show_one(office: Office, output: Output, pot_id: str) -> int:
    """Print everything known about a pot, and the recommended action."""
    case = await _case(office, pot_id)
    output.value(_as_json(case))
    for line in _lines(case):
        output.line(line)
    return 0


async def refund(office: Office, output: Output, pot_id: str, why: str, confirm: Confirm) -> int:
    """Refund a pot's stakes; if its match is running, abort it, which refunds them automatically."""
    case = await _case(office, pot_id)
    for line in _lines(case):
        output.line(line)
    if case.is_over:
        output.line("Nothing to refund.")
        output.value(_as_json(case))
        return FAILED
    if case.is_played:
        return await _abort(office, output, case, why, confirm)
    if not confirm(f"Give {_stakes(case.pot)} back?"):
        return FAILED
    request = ForceRefundPotRequest(request_id=str(uuid4()), pot_id=pot_id, reason=why)
    answer = await office.wallet.call(office.cashier.ForceRefundPot, request)
    await _record(office, output, answer.pot, request.request_id)
    return 0


async def settle(
    office: Office, output: Output, pot_id: str, winners: Sequence[int], why: str, confirm: Confirm
) -> int:
    """Pay a locked pot to these seats; refused while its match is running."""
    case = await _case(office, pot_id)
    for line in _lines(case):
        output.line(line)
    if case.is_played:
        output.line("The match is running: nobody has won yet. `jasshaus pots refund` aborts it.")
        output.value(_as_json(case))
        return FAILED
    if not case.pot.state:
        output.line("There is nothing to pay out.")
        output.value(_as_json(case))
        return FAILED
    if tuple(winners) not in case.sides:
        output.line(f"Seats {_seats(winners)} cannot have won together: {_or(case.sides)}.")
        output.value(_as_json(case))
        return FAILED
    seated = {hold.seat: hold.player_id for hold in case.pot.holds}
    names = " and ".join(seated.get(seat, "?") for seat in winners)
    said = list(case.winners)
    if said and said != list(winners):
        output.line(f"According to the table, seats {_seats(said)} won.")
    if not confirm(f"Pay {money(case.pot.quote.net)} to {names} (seats {_seats(winners)})?"):
        return FAILED
    request = ForceSettlePotRequest(request_id=str(uuid4()), pot_id=pot_id, winning_seats=winners, reason=why)
    answer = await office.wallet.call(office.cashier.ForceSettlePot, request)
    await _record(office, output, answer.pot, request.request_id)
    return 0


async def _abort(office: Office, output: Output, case: Case, why: str, confirm: Confirm) -> int:
    assert case.table is not None
    output.line("The match is running: aborting its table refunds the stakes automatically.")
    if not confirm(f"Abort the match at table {case.table.table_id}?"):
        return FAILED
    request = AbortTableRequest(table_id=case.table.table_id, reason=why[:_WHY_AT_TABLE])
    answer = await office.table.call(office.tables.AbortTable, request)
    status = TableStatus.Name(answer.view.status).removeprefix("TABLE_STATUS_")
    output.value({"aborted": plain(answer.view)})
    output.line(f"Table {case.table.table_id} is {status}. `jasshaus acts` shows by whom and why.")
    return 0


async def _record(office: Office, output: Output, pot: Pot, request_id: str) -> None:
    """Print the pot's new state and its entry in the audit trail."""
    request = ListOperatorActsRequest(page_size=_ACTS)
    acts = (await office.wallet.call(office.cashier.ListOperatorActs, request)).acts
    act = next((each for each in acts if each.request_id == request_id), None)
    output.value({"pot": plain(pot), "act": None if act is None else plain(act)})
    output.line(f"Pot {pot.pot_id} is {_state(pot)}:")
    for payout in pot.payouts:
        output.line(f"  seat {payout.seat}  {payout.player_id}  {money(payout.amount)}")
    if act is not None:
        output.line(_act_line(act))


def _act_line(act: OperatorAct) -> str:
    return (
        f"Recorded as act {act.act_id}: {act.kind} by {act.subject} of {act.subject_tenant}, "
        f"{moment(act.create_time)}, because: {act.reason}"
    )


async def _case(office: Office, pot_id: str) -> Case:
    stuck = None
    async for each in _stuck(office):
        if each.pot_id == pot_id.lower():
            stuck = each
    pot = await _pot(office, pot_id, stuck)
    found = await _game(office, pot_id)
    game = found.status if stuck is None else stuck.game_status
    table_id = pot.table_id or (found.table_id if stuck is None else stuck.table_id)
    table, result = await _table(office, table_id)
    variant = found.rule_set.variant or (0 if table is None else table.rule_set.variant)
    return Case(pot, stuck, game, variant_from_proto(variant) if variant else None, table, result)


async def _game(office: Office, game_id: str) -> Game:
    """Return a game; an empty one if there is none, or it belongs to another brand than the token's."""
    try:
        return (await office.matchmaking.call(office.lobby.GetGame, GetGameRequest(game_id=game_id))).game
    except NotFound:
        return Game()


async def _pot(office: Office, pot_id: str, stuck: StuckPot | None) -> Pot:
    """Return a pot; one without a state if the wallet has lost it but a game refers to it."""
    try:
        return (await office.wallet.call(office.pots.GetPot, GetPotRequest(pot_id=pot_id))).pot
    except NotFound:
        if stuck is None or not _has_other_end(stuck):
            raise
        return Pot(pot_id=stuck.pot_id, tenant=stuck.tenant)


def _has_other_end(stuck: StuckPot) -> bool:
    return stuck.reason == StuckReason.STUCK_REASON_OTHER_END


async def _table(office: Office, table_id: str) -> tuple[TableView | None, MatchResult | None]:
    if not table_id:
        return None, None
    try:
        view = (await office.table.call(office.tables.GetTable, GetTableRequest(table_id=table_id))).view
    except NotFound:
        view = None
    try:
        request = GetResultRequest(table_id=table_id)
        return view, (await office.table.call(office.tables.GetResult, request)).result
    except NotFound:
        return view, None


async def _stuck(office: Office) -> AsyncIterator[StuckPot]:
    request = ListStuckPotsRequest(page_size=_PAGE)
    while True:
        page = await office.matchmaking.call(office.operator.ListStuckPots, request)
        for each in page.pots:
            yield each
        request.page_token = page.next_page_token
        if not request.page_token:
            return


async def _unfinished(office: Office) -> AsyncIterator[Pot]:
    request = ListPotsRequest(states=_UNFINISHED, page_size=_PAGE)
    while True:
        page = await office.wallet.call(office.pots.ListPots, request)
        for pot in page.pots:
            yield pot
        request.page_token = page.next_page_token
        if not request.page_token:
            return


def _row(pot: Pot, stuck: StuckPot | None) -> tuple[str, ...]:
    why = "" if stuck is None else _why(stuck)
    age = ago(pot.create_time) if pot.state else ""
    return pot.pot_id, _state(pot), age, _stakes(pot), why, _next(pot, stuck)


def _why(stuck: StuckPot) -> str:
    return f"{_WHY[stuck.reason]} ({stuck.detail})" if stuck.detail else _WHY[stuck.reason]


def _next(pot: Pot, stuck: StuckPot | None) -> str:
    if stuck is None:
        return "the match is running" if pot.state == PotState.POT_STATE_LOCKED else "players are joining"
    if stuck.HasField("refund_time"):
        return f"stakes are refunded {until(stuck.refund_time)}"
    if stuck.reason == StuckReason.STUCK_REASON_UNANSWERED:
        return "it is retried"
    if _has_other_end(stuck):
        return "nothing: see jasshaus pots show"
    return "your decision: jasshaus pots show"


def _state(pot: Pot) -> str:
    if pot.state == PotState.POT_STATE_UNSPECIFIED:
        return "GONE"
    return PotState.Name(pot.state).removeprefix("POT_STATE_")


def _stakes(pot: Pot) -> str:
    count = len(pot.holds)
    return f"{count} x {money(pot.quote.stake)}" if count else "none"


def _seats(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))


def _or(sides: Sequence[Sequence[int]]) -> str:
    *most, last = [" and ".join(map(str, side)) for side in sides]
    return f"{', '.join(most)} or {last}"


def _lines(case: Case) -> list[str]:
    pot = case.pot
    lines = [f"pot      {pot.pot_id} ({pot.tenant})"]
    if pot.state:
        lines += [
            f"state    {_state(pot)}, opened {moment(pot.create_time)}, {ago(pot.create_time)} ago",
            f"stakes   {_stakes(pot)}; net {money(pot.quote.net)} after a fee of {money(pot.quote.fee)}",
        ]
    else:
        lines.append(f"state    {_state(pot)}: the wallet has no such pot")
    lines += [f"  seat {hold.seat}  {hold.player_id}  {money(hold.amount)}" for hold in pot.holds]
    lines += [f"  seat {paid.seat}  {paid.player_id}  got {money(paid.amount)}" for paid in pot.payouts]
    if pot.refund_reason:
        lines.append(f"refunded {RefundReason.Name(pot.refund_reason).removeprefix('REFUND_REASON_')}")
    game = GameStatus.Name(case.game).removeprefix("GAME_STATUS_") if case.game else "none known"
    lines += [f"game     {game}", f"table    {_table_line(case)}"]
    if case.stuck is not None:
        lines.append(f"stuck    {_why(case.stuck)}, since {moment(case.stuck.since)}")
    return [*lines, f"advice   {_advice(case)}"]


def _table_line(case: Case) -> str:
    if case.table is not None:
        status = TableStatus.Name(case.table.status).removeprefix("TABLE_STATUS_")
        won = f", seats {_seats(case.winners)} won" if case.winners else ""
        return f"{case.table.table_id} is {status}{won}"
    if case.result is not None:
        won = f"seats {_seats(case.winners)} won" if case.winners else "it was aborted"
        return f"{case.result.table_id} is gone; its result is kept: {won}"
    known = case.pot.table_id or (case.stuck.table_id if case.stuck is not None else "")
    return f"{known} is missing, and has no result" if known else "none known"


def _advice(case: Case) -> str:
    if case.stuck is not None and _has_other_end(case.stuck):
        return (
            "no money is in it, and there is no automatic repair: check the players' statements and "
            "compensate with deposits or corrections; it is listed until 30 days after the game's end"
        )
    if case.is_over:
        return "nothing to do: it holds no money"
    if case.is_played:
        return "leave it: the match is running (`refund` would abort it)"
    if case.winners:
        return (
            "it is settled automatically within a minute; if not: "
            f"jasshaus pots settle {case.pot.pot_id} --winners {','.join(map(str, case.winners))} --why ..."
        )
    return _advice_by_why(case.pot, case.stuck)


def _advice_by_why(pot: Pot, stuck: StuckPot | None) -> str:
    if stuck is None:
        return "leave it: nothing is wrong with it"
    if stuck.HasField("refund_time"):
        return f"wait: its stakes are refunded automatically {until(stuck.refund_time)}"
    if stuck.reason == StuckReason.STUCK_REASON_UNANSWERED:
        return f"wait, and check that all services are up ({stuck.detail})"
    return f"find out who won; if that is impossible: jasshaus pots refund {pot.pot_id} --why ..."


def _as_json(case: Case) -> dict[str, object]:
    return {
        "pot": plain(case.pot),
        "stuck": None if case.stuck is None else plain(case.stuck),
        "game_status": GameStatus.Name(case.game),
        "table": None if case.table is None else plain(case.table),
        "result": None if case.result is None else plain(case.result),
        "advice": _advice(case),
    }
