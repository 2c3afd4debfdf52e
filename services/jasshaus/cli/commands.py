"""Commands of `jasshaus`: options, validation and help."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final

import typer

from jasshaus.bots import BOTS
from jasshaus.cli.demo.command import Options, demo
from jasshaus.cli.demo.rules import choose_rules
from jasshaus.cli.operator import commands as operator_commands
from jasshaus.cli.play.command import Options as PlayOptions
from jasshaus.cli.play.command import is_interactive, play, prepare_terminal, typed
from jasshaus.cli.printing import console, examples
from jasshaus.cli.refusals import Commands, bad_claim, folder
from jasshaus.cli.replay import replay
from jasshaus.cli.review.command import Wanted, review
from jasshaus.cli.running import FAILED, run
from jasshaus.cli.up import up
from jasshaus.cli.words import Style
from jasshaus.devstack.development import DATA
from jasshaus.devstack.folder import DataFolder
from jasshaus.platform.auth import DEFAULT_TENANT, MIN_SECRET_BYTES, Role, mint_token, to_principal
from jasshaus.platform.config import postgres_dsn
from jasshaus.platform.errors import Fault
from jasshaus.rules.core import kernel
from jasshaus.rules.core.options import PRESETS, Announcements, OptionError, RuleSet, Variant, rule_set
from jasshaus.rules.core.wording import LANGUAGES, Deck

# In the order in which a newcomer tries them.
_TRY: Final = "Try it"
_TRANSCRIPTS: Final = "Read a saved match"
_OPERATE: Final = "For operators"
_MAX_STAKE: Final = 1_000_000_000
_MAX_SEED: Final = 2**63 - 1


_Deck = Annotated[Deck, typer.Option(help="Deck style for display (transcripts themselves use Swiss cards).")]
_Rounds = Annotated[
    int | None, typer.Option(min=1, max=12, help="Differenzler: deals to play (default: the preset's).")
]
_Announcements = Annotated[
    Announcements | None,
    typer.Option(help="Differenzler: open or hidden announcements (default: the preset's)."),
]
_Language = Annotated[
    str, typer.Option(help=f"Language of the suit names: {', '.join(LANGUAGES)}; the rest is in English.")
]


app = typer.Typer(
    name="jasshaus",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        build = "in plain Python" if str(kernel.__file__).endswith(".py") else "compiled"
        print(f"jasshaus {version('jasshaus')}, rules and bots {build}")
        raise typer.Exit


@app.callback()
def root(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show version and build."),
    ] = False,
) -> None:
    """Host Jass, the Swiss card game: matchmaking, tables and a double-entry wallet over gRPC."""


@app.command(
    "demo",
    rich_help_panel=_TRY,
    short_help="Play one staked match automatically and check the books.",
    epilog=examples(
        "jasshaus demo",
        "jasshaus demo --seed 7 --target 500 --stake 200",
        "jasshaus demo --preset schieber-partner --quiet",
        "jasshaus demo --variant differenzler --announcements open --rounds 2",
    ),
)
def demo_command(
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=_MAX_SEED, help="Seed for a reproducible deal (default: random)."),
    ] = None,
    target: Annotated[
        int | None, typer.Option(min=100, max=10_000, help="Schieber: points to win (default: 1000).")
    ] = None,
    rounds: _Rounds = None,
    announcements: _Announcements = None,
    stake: Annotated[
        int, typer.Option(min=0, max=_MAX_STAKE, help="Stake per player in Rappen; 0 for none.")
    ] = 200,
    preset: Annotated[
        str | None, typer.Option(help=f"Rule set: {', '.join(PRESETS)} (default: the game's classic one).")
    ] = None,
    variant: Annotated[
        str | None, typer.Option(help=f"Game: {', '.join(Variant)} (default: the preset's, or schieber).")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result.")] = False,
    data: Annotated[
        Path | None,
        typer.Option(
            parser=folder,
            metavar="<dir>",
            help="Keep the stack's data in this directory instead of a temporary one.",
        ),
    ] = None,
) -> None:
    """Play one staked match, from an open game to the payout, and check the ledger against the result.

    Starts its own stack (a real Redis, a real PostgreSQL, the three services), plays a Schieber or
    Differenzler match between four players through the public API, and prints the match and the money. Exits
    with 0 only if the ledger agrees with the table.
    """
    given = {"target": target, "rounds": rounds, "announcements": announcements}
    try:
        preset, rules = choose_rules(variant, preset, given)
    except OptionError as refused:
        raise typer.BadParameter(refused.text, param_hint=f"--{refused.field}") from None
    options = Options(seed=seed, preset=preset, rules=rules, stake=stake, quiet=quiet, data=data)
    raise typer.Exit(run(demo(options, console())))


@app.command(
    "play",
    rich_help_panel=_TRY,
    short_help="Play a match against bots in the terminal.",
    epilog=examples(
        "jasshaus play",
        "jasshaus play --preset schieber-partner --target 500 --bot greedy",
        "jasshaus play --preset differenzler-classic --rounds 4 --announcements open",
        "jasshaus play --preset differenzler-classic --deck french --language de --save match.jass",
    ),
)
def play_command(
    preset: Annotated[str, typer.Option(help=f"Rule set: {', '.join(PRESETS)}.")] = "schieber-3000",
    target: Annotated[
        int | None,
        typer.Option(min=100, max=10_000, help="Schieber: points to win (default: the preset's)."),
    ] = None,
    rounds: _Rounds = None,
    announcements: _Announcements = None,
    bot: Annotated[str, typer.Option(help=f"Bot in the other seats: {', '.join(sorted(BOTS))}.")] = "strong",
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=_MAX_SEED, help="Seed for a reproducible deal (default: random)."),
    ] = None,
    language: Annotated[
        str, typer.Option(help=f"Language of output and input: {', '.join(LANGUAGES)}; options stay English.")
    ] = "en",
    deck: Annotated[Deck, typer.Option(help="Deck style for display and input.")] = Deck.SWISS,
    save: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Save a transcript to this new file at the end.")
    ] = None,
) -> None:
    """Play a match in the terminal: with a bot partner against two bots, or each for themselves.

    Needs no running services. Type the number under a card, or the card itself; ? for help.
    """
    _check_choice("--preset", preset, PRESETS)
    _check_choice("--bot", bot, BOTS)
    style = _style(deck, language)
    if save is not None and (save.exists() or not save.absolute().parent.is_dir()):
        wrong = "already exists" if save.exists() else "is not in an existing directory"
        raise typer.BadParameter(f"{save} {wrong}", param_hint="--save")
    rules = _rules(preset, {"target": target, "rounds": rounds, "announcements": announcements})
    options = PlayOptions(preset, rules, bot, replace(style, spoken=language), seed, save)
    prepare_terminal()
    raise typer.Exit(play(options, console(), typed, offer_to_save=is_interactive()))


@app.command(
    "up",
    rich_help_panel=_TRY,
    short_help="Run the services until Ctrl-C, for frontends to connect to.",
    epilog=examples("jasshaus up", "jasshaus up --data /tmp/jass --seed 7"),
)
def up_command(
    data: Annotated[
        Path, typer.Option(parser=folder, metavar="<dir>", help="Data directory of the stack.")
    ] = DATA,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=_MAX_SEED, help="Seed for a reproducible deal (default: random)."),
    ] = None,
) -> None:
    """Run the stack until Ctrl-C. Prints endpoints, tokens and a command to try.

    Data persists in the data directory: balances and running tables are back on the next start. Ports are
    7001 (matchmaking), 7002 (table) and 7003 (wallet) if they are free. JASSHAUS_REDIS_URL and
    JASSHAUS_POSTGRES_DSN replace the embedded servers with real ones.
    """
    raise typer.Exit(run(up(data, seed, console())))


@app.command(
    "token",
    rich_help_panel=_TRY,
    short_help="Print a token for a player of the running stack.",
    epilog=examples(
        "jasshaus token anna",
        "jasshaus token boss --role operator --ttl 600",
        "TOKEN=$(jasshaus token anna --tenant alpha --data /tmp/jass)",
    ),
)
def token(
    subject: Annotated[str, typer.Argument(help="The player's id (the token's subject).")],
    role: Annotated[
        list[Role] | None, typer.Option(help="A role; may be repeated (default: player).")
    ] = None,
    tenant: Annotated[str, typer.Option(help="The brand the player belongs to.")] = DEFAULT_TENANT,
    ttl: Annotated[int, typer.Option(min=1, max=366 * 24 * 3600, help="Validity in seconds.")] = 24 * 3600,
    data: Annotated[
        Path,
        typer.Option(parser=folder, metavar="<dir>", help="Data directory of the stack that will accept it."),
    ] = DATA,
) -> None:
    """Print a token for a development stack, and nothing else.

    The token is signed with the secret in the stack's data directory, or with JASSHAUS_DEV_SECRET if set.
    Services in production mode reject such tokens.
    """
    roles = role or [Role.PLAYER]
    try:
        to_principal({"sub": subject, "tenant": tenant, "roles": [str(each) for each in roles], "exp": 0})
    except Fault as refusal:
        raise bad_claim(refusal.message) from None
    secret = os.environ.get("JASSHAUS_DEV_SECRET", "")
    if secret and len(secret.encode()) < MIN_SECRET_BYTES:
        raise typer.BadParameter(f"JASSHAUS_DEV_SECRET must have at least {MIN_SECRET_BYTES} bytes")
    if not secret:
        if not (data / "secrets.json").exists():
            raise typer.BadParameter(f"no stack was started in {data}, and JASSHAUS_DEV_SECRET is not set")
        secret = DataFolder(data).secret("tokens")
    print(mint_token(secret, subject, roles, tenant, ttl=ttl))


@app.command(
    "replay",
    rich_help_panel=_TRANSCRIPTS,
    short_help="Narrate a saved match, deal by deal.",
    epilog=examples("jasshaus replay match.jass", "jasshaus replay --quiet - < match.jass"),
)
def replay_command(
    file: Annotated[str, typer.Argument(help="A transcript; - for standard input.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only how it ended.")] = False,
    language: _Language = "en",
    deck: _Deck = Deck.SWISS,
) -> None:
    """Replay a transcript under the rules and narrate it deal by deal.

    If the transcript breaks a rule or contradicts the rules, prints the position and the
    reason and exits with 1. docs/transcripts.md describes the format.
    """
    raise typer.Exit(replay(file, console(), _style(deck, language), quiet=quiet))


@app.command(
    "review",
    rich_help_panel=_TRANSCRIPTS,
    short_help="Judge each decision of a saved match.",
    epilog=examples("jasshaus review match.jass", "jasshaus review match.jass --seat 0 --deal 3"),
)
def review_command(
    file: Annotated[str, typer.Argument(help="A transcript; - for standard input.")],
    seat: Annotated[
        int | None, typer.Option(min=0, max=3, help="Judge only this seat (default: all).")
    ] = None,
    deal: Annotated[
        int | None, typer.Option(min=1, max=10_000, help="Judge only this deal (default: all).")
    ] = None,
    worlds: Annotated[
        int, typer.Option(min=2, max=10_000, help="Sampled deals per choice; more are slower but surer.")
    ] = 200,
    language: _Language = "en",
    deck: _Deck = Deck.SWISS,
) -> None:
    """Show what the strong bot would have done at each decision of a transcript, and what that cost.

    Each decision is judged by what the player knew at that moment. The cost is in expected points; ! marks
    choices that are clearly worse, given the sampling error. A deal takes a second or two, or half a second
    for a single seat. docs/playing.md explains the output.
    """
    wanted = Wanted(seat, deal, worlds)
    raise typer.Exit(review(file, console(), _style(deck, language), wanted))


@app.command(
    "migrate",
    rich_help_panel=_OPERATE,
    short_help="Upgrade the database to the newest schema.",
    epilog=examples("JASSHAUS_POSTGRES_DSN=postgresql://owner@db/jasshaus jasshaus migrate"),
)
def migrate() -> None:
    """Upgrade the database at JASSHAUS_POSTGRES_DSN to the newest schema, and print what was applied.

    Run it before starting the services of a new version; running it again does nothing. The role in the DSN
    must be allowed to create schemas.
    """
    dsn = os.environ.get("JASSHAUS_POSTGRES_DSN", "")
    if not dsn:
        raise typer.BadParameter("JASSHAUS_POSTGRES_DSN is not set")
    try:
        postgres_dsn(dsn)
    except ValueError as malformed:
        raise typer.BadParameter(f"JASSHAUS_POSTGRES_DSN {malformed}") from None
    # Imported here so that the other commands start faster.
    from jasshaus.cli.migrate import migrate_all  # noqa: PLC0415

    raise typer.Exit(0 if migrate_all(dsn) else FAILED)


operator_commands.add_to(app, panel=_OPERATE)


def _check_choice(option: str, value: str, choices: Iterable[str]) -> None:
    if value not in choices:
        wrong = f"unknown value {value}; choose from {', '.join(choices)}"
        raise typer.BadParameter(wrong, param_hint=option)


def _style(deck: Deck, language: str) -> Style:
    _check_choice("--language", language, LANGUAGES)
    return Style(deck, language)


def _rules(preset: str, given: Mapping[str, object]) -> RuleSet:
    try:
        return rule_set(preset, {name: value for name, value in given.items() if value is not None})
    except OptionError as refused:
        raise typer.BadParameter(refused.text, param_hint=f"--{refused.field}") from None
