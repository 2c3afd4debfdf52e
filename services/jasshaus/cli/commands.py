"""Owns the commands of `jasshaus`: options, their checks, and help worth reading."""

from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from jasshaus.cli.demo import Options, demo
from jasshaus.cli.replay import replay
from jasshaus.cli.running import FAILED, run
from jasshaus.cli.up import up
from jasshaus.platform.auth import DEFAULT_TENANT, MIN_SECRET_BYTES, Role, mint_token, to_principal
from jasshaus.platform.embedded.folder import DataFolder
from jasshaus.platform.errors import Fault
from jasshaus.rules.options import PRESETS, Variant

DATA: Final = Path(".jasshaus")
_MAX_STAKE: Final = 1_000_000_000
_MAX_SEED: Final = 2**63 - 1
_SCHIEBER: Final = sorted(name for name, rules in PRESETS.items() if rules.variant is Variant.SCHIEBER)


def examples(*lines: str) -> str:
    """Return the end of a help text; the mark keeps the lines apart."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


app = typer.Typer(
    name="jasshaus",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"jasshaus {version('jasshaus')}")
        raise typer.Exit


@app.callback()
def root(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Host Jass, the Swiss card game: matchmaking, tables and a double-entry wallet over gRPC."""


@app.command(
    "demo",
    epilog=examples(
        "jasshaus demo",
        "jasshaus demo --seed 7 --target 500 --stake 200",
        "jasshaus demo --preset schieber-partner --quiet",
    ),
)
def demo_command(
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=_MAX_SEED, help="Deal the same cards each time; by chance without."),
    ] = None,
    target: Annotated[int, typer.Option(min=100, max=10_000, help="Points that win.")] = 1000,
    stake: Annotated[
        int, typer.Option(min=0, max=_MAX_STAKE, help="What each player pays in, in Rappen; 0 for none.")
    ] = 200,
    preset: Annotated[str, typer.Option(help=f"Rule set: {', '.join(_SCHIEBER)}.")] = "schieber-classic",
    variant: Annotated[str, typer.Option(help="The game: schieber.")] = "schieber",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the result alone.")] = False,
    data: Annotated[
        Path | None,
        typer.Option(
            file_okay=False, help="Keep the stack's data in this folder instead of a temporary one."
        ),
    ] = None,
) -> None:
    """Play one staked match, from an open game to the payout, and compare the ledger with the result.

    Starts a stack of its own (a real Redis, a real PostgreSQL, the three services), plays a Schieber of four
    players through the public API, and prints the match and then the money. Exits with 0 only if the ledger
    agrees with the table.
    """
    _check_game(variant, preset)
    options = Options(seed=seed, target=target, stake=stake, preset=preset, quiet=quiet, data=data)
    raise typer.Exit(run(demo(options, console())))


@app.command("up", epilog=examples("jasshaus up", "jasshaus up --data /tmp/jass --seed 7"))
def up_command(
    data: Annotated[Path, typer.Option(file_okay=False, help="Where the stack's data lives.")] = DATA,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=_MAX_SEED, help="Deal the same cards each time; by chance without."),
    ] = None,
) -> None:
    """Run the stack until Ctrl-C, and print endpoints, tokens and a line to try.

    The data folder survives: balances and running tables are there again at the next start. Ports are 7001
    (matchmaking), 7002 (table) and 7003 (wallet) if they are free. JASSHAUS_REDIS_URL and
    JASSHAUS_POSTGRES_DSN replace the embedded servers by real ones.
    """
    raise typer.Exit(run(up(data, seed, console())))


@app.command(
    epilog=examples(
        "jasshaus token anna",
        "jasshaus token boss --role operator --ttl 600",
        "TOKEN=$(jasshaus token anna --tenant alpha --data /tmp/jass)",
    )
)
def token(
    subject: Annotated[str, typer.Argument(help="Whom the token names: the player's id.")],
    role: Annotated[
        list[Role] | None, typer.Option(help="A role; may be given more than once. player without.")
    ] = None,
    tenant: Annotated[str, typer.Option(help="The brand the player belongs to.")] = DEFAULT_TENANT,
    ttl: Annotated[int, typer.Option(min=1, max=366 * 24 * 3600, help="Valid for so many seconds.")] = 24
    * 3600,
    data: Annotated[
        Path, typer.Option(file_okay=False, help="The data folder of the stack that is to accept it.")
    ] = DATA,
) -> None:
    """Print a token for a development stack, and nothing else.

    It is signed with the secret of the stack's data folder, or with JASSHAUS_DEV_SECRET if that is set.
    Services in production mode refuse such tokens.
    """
    roles = role or [Role.PLAYER]
    try:
        to_principal({"sub": subject, "tenant": tenant, "roles": [str(each) for each in roles], "exp": 0})
    except Fault as refusal:
        raise typer.BadParameter(refusal.message.replace("claim sub", "subject")) from None
    secret = os.environ.get("JASSHAUS_DEV_SECRET", "")
    if secret and len(secret.encode()) < MIN_SECRET_BYTES:
        raise typer.BadParameter(f"JASSHAUS_DEV_SECRET must have at least {MIN_SECRET_BYTES} bytes")
    if not secret:
        if not (data / "secrets.json").exists():
            raise typer.BadParameter(f"no stack was started in {data}, and JASSHAUS_DEV_SECRET is not set")
        secret = DataFolder(data).secret("tokens")
    print(mint_token(secret, subject, roles, tenant, ttl=ttl))


@app.command(epilog=examples("JASSHAUS_POSTGRES_DSN=postgresql://owner@db/jasshaus jasshaus migrate"))
def migrate() -> None:
    """Bring the database of JASSHAUS_POSTGRES_DSN to the newest schema, and print what was applied.

    Run it before the services of a new version start; running it again does nothing. The role in the DSN must
    be allowed to create schemas.
    """
    dsn = os.environ.get("JASSHAUS_POSTGRES_DSN", "")
    if not dsn:
        raise typer.BadParameter("JASSHAUS_POSTGRES_DSN is not set")
    # Imported here: the other commands need not wait for it.
    from jasshaus.cli.migrate import migrate_all  # noqa: PLC0415

    raise typer.Exit(0 if migrate_all(dsn) else FAILED)


@app.command(
    "replay",
    epilog=examples("jasshaus replay match.jass", "jasshaus replay --quiet - < match.jass"),
)
def replay_command(
    file: Annotated[str, typer.Argument(help="A transcript; - for standard input.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print how it ended alone.")] = False,
) -> None:
    """Play a transcript by the rules and tell it deal by deal.

    A transcript that breaks a rule, or tells something else than the rules do, ends with the place and the
    reason, and exit code 1. The format is in docs/transcripts.md.
    """
    raise typer.Exit(replay(file, console(), quiet=quiet))


def console() -> Console:
    """Return where to print: styled on a terminal, plain text elsewhere and with NO_COLOR."""
    return Console(force_terminal=False if os.environ.get("NO_COLOR") else None)


def _check_game(variant: str, preset: str) -> None:
    if variant != Variant.SCHIEBER:
        known = variant in list(Variant)
        raise typer.BadParameter(
            f"{variant} is not played yet, only schieber" if known else f"no such game: {variant}",
            param_hint="--variant",
        )
    if preset not in _SCHIEBER:
        raise typer.BadParameter(
            f"no such rule set: {preset}; there are {', '.join(_SCHIEBER)}", param_hint="--preset"
        )
