"""What must hold when a storm is over and all is quiet: in SQL, Redis, the API and the logs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import redis
from psycopg.rows import dict_row

from faults.chronicle import Chronicle
from faults.findings import Findings
from jasshaus.api.table.v1.table_pb2 import TableStatus, TableView
from jasshaus.client import Jasshaus, NotFound
from jasshaus.devstack.stack import Stack
from jasshaus.table.history import FENCED_ETAG
from wallet.audit import findings as ledger_findings

LIVE = "status IN ('OPENING', 'OPEN', 'STARTING', 'PLAYING')"

# Each finds nothing, once all games are over.
QUIET = {
    "games that are not over, or still owe something": f"""
        SELECT game_id, status, refund_due, forget_due, next_check FROM matchmaking.game
        WHERE {LIVE} OR refund_due OR forget_due OR next_check IS NOT NULL""",
    "pots that are not over": "SELECT id, state FROM wallet.pot WHERE state IN ('OPEN', 'LOCKED')",
    "stakes still held": "SELECT pot_id, player FROM wallet.hold WHERE state = 'HELD'",
    "money in pots": """
        SELECT owner, balance FROM wallet.account WHERE kind = 'pot' AND balance <> 0""",
    "pots without a game": """
        SELECT id FROM wallet.pot WHERE NOT EXISTS (SELECT FROM matchmaking.game WHERE game_id = pot.id)""",
    "games whose pot says otherwise": """
        SELECT game_id, status, pot.state FROM matchmaking.game LEFT JOIN wallet.pot ON pot.id = game_id
        WHERE game.stake > 0 AND pot.state::text IS DISTINCT FROM
            CASE WHEN status = 'FINISHED' THEN 'SETTLED' ELSE 'REFUNDED' END""",
    "games without a stake whose seats say otherwise": """
        SELECT game_id, status, state FROM matchmaking.game LEFT JOIN matchmaking.free_pot ON pot_id = game_id
        WHERE stake = 0 AND state IS DISTINCT FROM
            CASE WHEN status = 'FINISHED' THEN 'LOCKED' ELSE 'REFUNDED' END""",
    "seats still held in games without a stake": """
        SELECT pot_id, player FROM matchmaking.free_hold JOIN matchmaking.free_pot USING (pot_id)
        WHERE free_hold.state = 'HELD' AND free_pot.state <> 'LOCKED'""",
    "results that are not what the pot paid": """
        SELECT game_id, result, pot.winning_seats, pot.fee
        FROM matchmaking.game JOIN wallet.pot ON pot.id = game_id
        WHERE status = 'FINISHED' AND (
            result -> 'winning_seats' IS DISTINCT FROM to_jsonb(pot.winning_seats)
            OR (result ->> 'fee')::bigint IS DISTINCT FROM pot.fee
            OR result -> 'payouts' IS DISTINCT FROM (
                SELECT jsonb_agg(payout ORDER BY seat) FROM wallet.hold
                WHERE pot_id = pot.id AND state = 'PAID' AND seat = ANY (pot.winning_seats))
            OR jsonb_array_length(result -> 'points') <>
                CASE variant WHEN 'differenzler' THEN 4 ELSE 2 END)""",
    "pots that more or fewer won than do in their game, or in other seats": """
        SELECT game_id, variant, winning_seats FROM matchmaking.game JOIN wallet.pot ON pot.id = game_id
        WHERE state = 'SETTLED' AND NOT CASE variant
            WHEN 'differenzler' THEN cardinality(winning_seats) = 1
            ELSE winning_seats IN ('{0,2}', '{1,3}') END""",
    "pots whose payouts and fee are not the stakes": """
        SELECT pot.id, pot.stake, pot.fee, sum(hold.payout)
        FROM wallet.pot JOIN wallet.hold ON pot_id = pot.id AND hold.state = 'PAID'
        WHERE pot.state = 'SETTLED'
        GROUP BY pot.id
        HAVING 4 * pot.stake - pot.fee <> coalesce(sum(hold.payout), 0)
            OR bool_or((hold.seat = ANY (pot.winning_seats)) <> (coalesce(hold.payout, 0) > 0))""",
    "pots paid out in more or less than one journal": """
        SELECT pot.id, count(journal.id) FROM wallet.pot
        LEFT JOIN wallet.journal ON journal.pot_id = pot.id AND journal.kind IN ('payout', 'refund')
        GROUP BY pot.id
        HAVING count(journal.id) > 1 OR count(journal.id) FILTER (WHERE journal.kind = 'payout') <>
            (pot.state = 'SETTLED')::int""",
    "settled pots that were not of four different players in the game's seats": """
        SELECT game_id FROM matchmaking.game JOIN wallet.pot ON pot.id = game_id
        WHERE pot.state = 'SETTLED' AND (
            SELECT jsonb_agg(jsonb_build_array(seat, player, reservation_id) ORDER BY seat) FROM wallet.hold
            WHERE pot_id = pot.id AND state = 'PAID'
        ) IS DISTINCT FROM (
            SELECT jsonb_agg(jsonb_build_array(seat -> 'seat', seat -> 'player', seat -> 'reservation')
                             ORDER BY (seat ->> 'seat')::int)
            FROM jsonb_array_elements(seats) AS seat)""",
    "players whom a game cost anything but stake less payout": """
        SELECT pot.id, account.owner, sum(entry.amount) AS moved, expected.due
        FROM wallet.pot
        JOIN wallet.journal ON journal.pot_id = pot.id
        JOIN wallet.entry ON entry.journal_id = journal.id
        JOIN wallet.account ON account.id = entry.account_id AND account.kind = 'player'
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(coalesce(hold.payout, 0) - pot.stake), 0) AS due FROM wallet.hold
            WHERE hold.pot_id = pot.id AND hold.player = account.owner AND hold.state = 'PAID') AS expected
        GROUP BY pot.id, account.owner, expected.due
        HAVING sum(entry.amount) <> expected.due""",
}


async def check(stack: Stack, operator: Jasshaus, chronicle: Chronicle, findings: Findings) -> None:
    """Look everywhere; whatever is not as promised goes to the findings."""
    with psycopg.connect(stack.dsn(), row_factory=dict_row) as connection:
        for name, rows in ledger_findings(connection).items():
            findings.blame(f"ledger: {name}: {rows[:5]}")
        for name, query in QUIET.items():
            rows = connection.execute(query).fetchall()
            if rows:
                findings.blame(f"{name}: {len(rows)}, {rows[:5]}")
        games = connection.execute(
            "SELECT game_id::text, game.table_id::text, status, result, refund_reason, state::text AS pot "
            "FROM matchmaking.game LEFT JOIN wallet.pot ON pot.id = game_id"
        ).fetchall()
    if not (await operator.wallet.trial_balance()).balanced:
        findings.blame("the trial balance is not zero")
    for game in games:
        findings.count(f"game {game['status']} {game['refund_reason'] or ''}".rstrip())
        if game["table_id"]:
            await _check_table(operator, game, chronicle, findings)
    _check_redis(stack, findings)


async def _check_table(
    operator: Jasshaus, game: dict[str, Any], chronicle: Chronicle, findings: Findings
) -> None:
    """Table, game, and what each player was shown last: all the same end."""
    name = f"game {game['game_id']} ({game['status']}, pot {game['pot']}), table {game['table_id']}"
    shown = chronicle.ends.get(game["table_id"], [])
    try:
        view = await operator.table.get_table(game["table_id"])
    except NotFound:
        if game["status"] != "VOIDED" and not findings.lossy:
            findings.blame(f"{name}: there is no table")
    else:
        shown = [*shown, ("the operator", view)]
        if view.HasField("differenzler") and view.status == TableStatus.TABLE_STATUS_FINISHED:
            for wrong in _wrong_with(view):
                findings.blame(f"{name}: {wrong}")
    for who, view in shown:
        said = _end_of(view)
        if said != _end_of_game(game):
            findings.blame(f"{name}: {who} was shown {said}, the game ended {_end_of_game(game)}")


def _wrong_with(view: TableView) -> Iterator[str]:
    """What is not as it should be at the end of a Differenzler that has a winner."""
    score, outcome = view.differenzler, view.outcome
    least = min(score.totals[seat] for seat in score.contenders)
    if list(outcome.winning_seats) != [seat for seat in score.contenders if score.totals[seat] == least]:
        yield f"{outcome.winning_seats} won, of {score.contenders} with {score.totals}"
    if view.deal < view.rule_set.rounds:
        yield f"over after {view.deal} of {view.rule_set.rounds} rounds"
    if [each.seat for each in score.announcements if each.HasField("points")] != [0, 1, 2, 3]:
        yield f"not everybody's announcement is known: {score.announcements}"
    if view.HasField("stake"):
        won = [4 * view.stake.minor_units - outcome.fee.minor_units]
        if [amount.minor_units for amount in outcome.payouts] != won:
            yield f"the winner got {outcome.payouts}, not {won}"


def _end_of(view: TableView) -> tuple[Any, ...]:
    outcome = view.outcome
    if view.status == TableStatus.TABLE_STATUS_VOIDED:
        return ("VOIDED",)
    return (
        TableStatus.Name(view.status).removeprefix("TABLE_STATUS_"),
        list(outcome.winning_seats),
        [amount.minor_units for amount in outcome.payouts],
        outcome.fee.minor_units,
        list(outcome.points),
    )


def _end_of_game(game: dict[str, Any]) -> tuple[Any, ...]:
    result = game["result"] or {}
    if game["status"] == "VOIDED":
        return ("VOIDED",)
    fee = result.get("fee") or 0
    return (game["status"], result.get("winning_seats"), result.get("payouts"), fee, result.get("points"))


def _check_redis(stack: Stack, findings: Findings) -> None:
    """Nothing left to do, and nobody left sitting in the lobby."""
    with redis.Redis.from_url(stack.redis_url, decode_responses=True, encoding_errors="replace") as client:
        for key in client.scan_iter(count=1000):
            rest = key.partition("}:")[2]
            if rest in {"outbox", "timers", "due"} and client.zcard(key):
                findings.blame(f"Redis: {key} still has {client.zrange(key, 0, 5)}")
            elif rest == "games" or rest.startswith(("player:", "game:")):
                # Nobody is shown these. The list of games is swept once a minute; the rest ends by itself.
                if findings.lossy and (rest == "games" or client.ttl(key) != -1):
                    findings.count("lobby entries of closed games that lost writes brought back")
                else:
                    findings.blame(f"Redis: {key} is still in the lobby")
            elif rest.startswith(("table:", "events:")) and client.ttl(key) == -1:
                if rest.startswith("table:") and client.hget(key, "e") == FENCED_ETAG.decode():
                    findings.blame(f"Redis: {key} is fenced for ever")
                elif findings.lossy:
                    findings.count("tables that half a commit left without their end")
                else:
                    findings.blame(f"Redis: {key} is kept for ever")


# Errors that a service may log because of what was done to it, and why.
EXPECTED = {
    "table_lost": "Redis lost the table; its stakes go back",
    "table_unattended": "Redis has half of a table's commit; it is given its timer, or settled",
    "table_reset": "Redis lost a table's last writes; its pot is looked at again",
    "table_closed_by_its_pot": "Redis lost the end of a match; its pot tells how it ended",
    "game_conflict": "Redis lost the end of a match; its game tells that it is over",
    "settlement_without_table": "Redis lost a table that had ended before it was paid; its stakes go back",
    "pot_decides": "Redis lost a table and its result after it was paid; its pot tells how it ended",
    "result_follows_its_pot": "Redis lost how a match ended the second time; its pot tells the first",
}


def check_logs(folder: Path, findings: Findings) -> None:
    """No service says that it failed, unless a fault that was announced makes it."""
    for path in sorted((folder / "logs").glob("*.log*")):
        for line in path.read_text(errors="replace").splitlines():
            for text in _complaints(line, findings):
                findings.blame(f"{path.stem}: {text}")


def _complaints(line: str, findings: Findings) -> Iterator[str]:
    try:
        entry = json.loads(line)
        event, level = str(entry["event"]), str(entry["level"])
    except (ValueError, KeyError, TypeError):
        yield f"not a log line: {line[:300]}"
        return
    if level == "warning":
        findings.count(f"warning: {event[:60]}")
    if "exception" in entry or level in {"error", "critical"}:
        if event in EXPECTED and findings.lossy and "exception" not in entry:
            findings.count(f"error: {event}")
            return
        yield line[:1500]
