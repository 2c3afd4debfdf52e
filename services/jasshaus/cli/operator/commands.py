"""Options of the operator commands: `jasshaus pots`, `fees`, `recoveries`, `acts`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final
from uuid import UUID

import typer

from jasshaus.cli.operator import counter, pots
from jasshaus.cli.operator.office import Office, Output, in_office, operator_token
from jasshaus.cli.play.command import is_interactive
from jasshaus.cli.printing import console, examples
from jasshaus.cli.refusals import Commands, folder
from jasshaus.cli.running import run
from jasshaus.devstack.development import DATA

_MAX_BPS: Final = 10_000
_MAX_FEE: Final = 1_000_000_000_000
_MAX_WHY: Final = 256
_LAST_SEAT: Final = 3
_WHERE: Final = """

Service addresses come from JASSHAUS_MATCHMAKING, JASSHAUS_TABLE and JASSHAUS_WALLET (host:port; default: the
ports of `jasshaus up`), the operator's token from JASSHAUS_TOKEN. For a development stack, a token is minted
as by `jasshaus token`.
"""

_Json = Annotated[bool, typer.Option("--json", help="Print one JSON value, for programs.")]
_Yes = Annotated[bool, typer.Option("--yes", "-y", help="Skip confirmation; required without a terminal.")]
_Pot = Annotated[str, typer.Argument(metavar="POT", help="The pot's id (the same as the game's).")]
_Why = Annotated[str, typer.Option(help="The reason, for the audit trail: 1 to 256 characters.")]
_Data = Annotated[
    Path,
    typer.Option(parser=folder, metavar="<dir>", help="Data directory of the development stack to call."),
]


def _group(name: str, about: str) -> typer.Typer:
    return typer.Typer(
        name=name,
        help=about + _WHERE,
        cls=Commands,
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


pots_app = _group("pots", "Show stakes waiting in pots, with the reason, and resolve them.")
fees_app = _group("fees", "Show the fee schedules, and set the next one.")


def add_to(app: typer.Typer, panel: str) -> None:
    """Add the operator commands to this panel of the help."""
    app.add_typer(pots_app, rich_help_panel=panel, short_help="Show waiting stakes, and resolve them.")
    app.add_typer(fees_app, rich_help_panel=panel, short_help="Show the fees, and set the next ones.")
    app.command(
        "recoveries",
        rich_help_panel=panel,
        short_help="List restores of the ledger, and what was repaired.",
        epilog=examples(
            "jasshaus recoveries", 'jasshaus recoveries --end 3 --why "Redis is lost, ticket 4711"'
        ),
        help=_RECOVERIES,
    )(recoveries_command)
    app.command(
        "acts",
        rich_help_panel=panel,
        short_help="List what operators did, when and why.",
        epilog=examples("jasshaus acts", "jasshaus acts --by boss"),
        help=_ACTS,
    )(acts_command)


@pots_app.command(
    "list",
    short_help="List open and locked pots, and why they are waiting.",
    epilog=examples("jasshaus pots list", "jasshaus pots list --stuck --json"),
)
def list_command(
    stuck: Annotated[
        bool, typer.Option("--stuck/--all-open", help="Only stuck pots, or all that are open or locked.")
    ] = False,
    as_json: _Json = False,
    data: _Data = DATA,
) -> None:
    """List open and locked pots, oldest first: their stakes, why they are waiting, and what happens next."""
    output = Output(console(), as_json)
    _work(data, lambda office: pots.show_list(office, output, only_stuck=stuck))


@pots_app.command("show", epilog=examples("jasshaus pots show 0b5e..."))
def show_command(pot: _Pot, as_json: _Json = False, data: _Data = DATA) -> None:
    """Show a pot, its game and its table, and the recommended action."""
    pot_id, output = _uuid(pot), Output(console(), as_json)
    _work(data, lambda office: pots.show_one(office, output, pot_id))


@pots_app.command(
    "refund",
    short_help="Refund a pot's stakes.",
    epilog=examples('jasshaus pots refund 0b5e... --why "table lost on the 3rd, ticket 4711"'),
)
def refund_command(
    pot: _Pot, why: _Why, yes: _Yes = False, as_json: _Json = False, data: _Data = DATA
) -> None:
    """Refund a pot's stakes to those who paid them. If its match is running, the match is aborted instead."""
    pot_id, reason, confirm = _uuid(pot), _reason(why), _confirm(yes)
    output = Output(console(), as_json)
    _work(data, lambda office: pots.refund(office, output, pot_id, reason, confirm))


@pots_app.command(
    "settle",
    short_help="Pay a locked pot to the winners you name.",
    epilog=examples('jasshaus pots settle 0b5e... --winners 0,2 --why "seen by all four, ticket 4711"'),
)
def settle_command(
    pot: _Pot,
    winners: Annotated[str, typer.Option(help="The winning seats: one, or two with a comma (0,2).")],
    why: _Why,
    yes: _Yes = False,
    as_json: _Json = False,
    data: _Data = DATA,
) -> None:
    """Pay a locked pot to the winners you name, for a match whose result is not recorded anywhere."""
    pot_id, seats, reason = _uuid(pot), _winners(winners), _reason(why)
    output, confirm = Output(console(), as_json), _confirm(yes)
    _work(data, lambda office: pots.settle(office, output, pot_id, seats, reason, confirm))


@fees_app.command("list", epilog=examples("jasshaus fees list"))
def list_fees_command(as_json: _Json = False, data: _Data = DATA) -> None:
    """List the versions of the fee schedules, newest first."""
    output = Output(console(), as_json)
    _work(data, lambda office: counter.list_fees(office, output))


@fees_app.command(
    "set", epilog=examples("jasshaus fees set 250", "jasshaus fees set 300 --tenant alpha --from 2030-01-01")
)
def set_fee_command(
    bps: Annotated[int, typer.Argument(min=0, max=_MAX_BPS, help="Basis points of the pot: 250 is 2.5 %.")],
    least: Annotated[int, typer.Option("--min", min=0, max=_MAX_FEE, help="Minimum fee, in Rappen.")] = 0,
    most: Annotated[
        int | None, typer.Option("--max", min=0, max=_MAX_FEE, help="Maximum fee, in Rappen (default: none).")
    ] = None,
    tenant: Annotated[str, typer.Option(help="Only this brand (default: all without their own).")] = "",
    start: Annotated[
        datetime | None, typer.Option("--from", help="Start, in local time (default: now).")
    ] = None,
    as_json: _Json = False,
    data: _Data = DATA,
) -> None:
    """Set the fee for pots opened from a given time on. Pots opened earlier keep theirs."""
    output, local = Output(console(), as_json), None if start is None else start.astimezone()
    _work(data, lambda office: counter.set_fee(office, output, tenant, (bps, least, most), local))


_RECOVERIES: Final = (
    "List when the ledger was found at an earlier time (restored, or failed over), and what was repaired."
    + _WHERE
)
_ACTS: Final = "List operator acts on the ledger, newest first: who, when, why." + _WHERE


def recoveries_command(
    end: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="End this one now, before everything is compared; 0: stop waiting for a table service. "
            "Needs --why.",
        ),
    ] = None,
    why: Annotated[str, typer.Option(help="The reason, for the audit trail: 1 to 256 characters.")] = "",
    yes: _Yes = False,
    as_json: _Json = False,
    data: _Data = DATA,
) -> None:
    """See _RECOVERIES."""
    output = Output(console(), as_json)
    if end is None:
        _work(data, lambda office: counter.list_recoveries(office, output))
        return
    reason, confirm = _reason(why), _confirm(yes)
    _work(data, lambda office: counter.end_recovery(office, output, end, reason, confirm))


def acts_command(
    by: Annotated[str, typer.Option(help="Only this operator's acts.")] = "",
    as_json: _Json = False,
    data: _Data = DATA,
) -> None:
    """See _ACTS."""
    output = Output(console(), as_json)
    _work(data, lambda office: counter.list_acts(office, output, by))


def _work(data: Path, work: Callable[[Office], Awaitable[int]]) -> None:
    raise typer.Exit(run(in_office(operator_token(data), work)))


def _confirm(yes: bool) -> pots.Confirm:
    if yes:
        return lambda _question: True
    if not is_interactive():
        raise typer.BadParameter("required because there is no terminal to ask on", param_hint="--yes")
    return typer.confirm


def _uuid(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        raise typer.BadParameter(f"{text} is not a pot's id (a UUID)", param_hint="POT") from None


def _reason(text: str) -> str:
    if not 0 < len(text.strip()) <= _MAX_WHY:
        raise typer.BadParameter(f"must have 1 to {_MAX_WHY} characters", param_hint="--why")
    return text.strip()


def _winners(text: str) -> list[int]:
    parts = text.split(",")
    if not all(part.strip().isdecimal() and int(part) <= _LAST_SEAT for part in parts):
        raise typer.BadParameter(f"{text} is not one or two of the seats 0 to 3", param_hint="--winners")
    seats = sorted({int(part) for part in parts})
    if len(seats) != len(parts) or len(seats) > 2:  # noqa: PLR2004 - a side
        raise typer.BadParameter("must be one seat, or the two seats of a side", param_hint="--winners")
    return seats
