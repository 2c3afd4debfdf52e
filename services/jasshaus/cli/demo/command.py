"""`jasshaus demo`: plays one match over the public API, from the deposits to the books."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from jasshaus.api.matchmaking.v1.matchmaking_pb2 import Game
from jasshaus.api.table.v1.table_pb2 import TableView
from jasshaus.api.wallet.v1.wallet_pb2 import Balance
from jasshaus.cli import words
from jasshaus.cli.demo import audit
from jasshaus.cli.demo.players import choose
from jasshaus.cli.demo.rules import described
from jasshaus.cli.narration.of_streams import Commentary, result
from jasshaus.cli.running import FAILED
from jasshaus.client import Denied, Jasshaus, Update
from jasshaus.contracts.rules import rule_set_to_proto
from jasshaus.devstack.development import CURRENCY, OPERATOR, PLAYERS, PURSE, chf, connect, offering
from jasshaus.devstack.stack import Stack
from jasshaus.platform.auth import Role
from jasshaus.rules.core.options import RuleSet, Variant


@dataclass(frozen=True, slots=True)
class Options:
    """What to play: `stake` in minor units, 0 for none; `seed` None for a random deal."""

    seed: int | None
    preset: str
    rules: RuleSet
    stake: int
    quiet: bool
    data: Path | None


async def demo(options: Options, console: Console) -> int:
    """Play the match in a separate stack; return 0 if the ledger agrees with the table's result."""
    pacing = {"JASSHAUS_LEAD_PAUSE": "0", "JASSHAUS_TRICK_PAUSE": "0"}
    stack = Stack(
        options.data,
        environment={"table": pacing, "matchmaking": offering(options.stake)},
        arguments={} if options.seed is None else {"table": ["--seed", str(options.seed)]},
    )
    if not options.quiet:
        print("Starting Redis, PostgreSQL, wallet, matchmaking and table ...", file=sys.stderr, flush=True)
    async with stack, AsyncExitStack() as clients:
        operator = await clients.enter_async_context(connect(stack, OPERATOR, Role.OPERATOR))
        players = {player: await clients.enter_async_context(connect(stack, player)) for player in PLAYERS}
        return await Demonstration(options, console, operator, players).run()


class Demonstration:
    """One match between four players, narrated on `console`."""

    def __init__(
        self, options: Options, console: Console, operator: Jasshaus, players: dict[str, Jasshaus]
    ) -> None:
        self._options = options
        self._console = console
        self._operator = operator
        self._players = players

    async def run(self) -> int:
        """Deposit, sit down, play, check the books."""
        await self._deposit()
        before = await self._balances()
        game = await self._sit_down()
        view = await self._play(game)
        books = await self._books(game.game_id, view, before)
        wrong = audit.disagreements(books)
        if self._options.quiet:
            self._console.print(result(view.outcome, _by_seat(view)), highlight=False, soft_wrap=True)
        else:
            self._print_money(books)
        for line in wrong:
            print(f"jasshaus: {line}", file=sys.stderr)
        return FAILED if wrong else 0

    def _say(self, text: str = "") -> None:
        if not self._options.quiet:
            self._console.print(text, highlight=False, soft_wrap=True)

    async def _deposit(self) -> None:
        amount = chf(max(PURSE, 2 * self._options.stake))
        first = PLAYERS[0]
        try:
            await self._players[first].wallet.deposit(first, amount)
        except Denied as refusal:
            self._say(f"{first.title()} tries to deposit: {refusal.code.name} ({refusal.reason}).")
        else:
            raise AssertionError("a player's own token must not deposit")
        for player in PLAYERS:
            await self._operator.wallet.deposit(player, amount)
        self._say(f"The operator credits each of the four players {words.money(amount)}.")

    async def _sit_down(self) -> Game:
        """Open a game and have three others join; return it with all four seated."""
        options = self._options
        first, second, third, fourth = PLAYERS
        lobby = self._players[first].lobby
        stake = chf(options.stake) if options.stake else None
        # The catalog's presets are complete rule sets: a modified one may be sent back as overrides.
        overrides = rule_set_to_proto(options.rules)
        game = await lobby.open_game(options.preset, stake=stake, overrides=overrides)
        staked = f", stake {words.money(game.quote.stake)}" if stake else ", without a stake"
        self._say(f"{first.title()} opens a game: {described(options.preset, options.rules)}{staked}.")
        if stake:
            pot, fee = words.money(game.quote.pot), words.money(game.quote.fee)
            self._say(f"  pot {pot}, fee {fee}, {self._winnings(game)}")
        for player in (second, third):
            found = await self._players[player].lobby.list_open_games()
            chosen = next(each for each in found.games if each.game_id == game.game_id)
            await self._players[player].lobby.join_game(chosen.game_id)
            self._say(f"{player.title()} finds it in the list and sits down.")
        async for update in self._players[fourth].lobby.watch_lobby():
            games = [update] if isinstance(update, Game) else update.games
            if any(each.game_id == game.game_id for each in games):
                break
        await self._players[fourth].lobby.join_game(game.game_id)
        self._say(f"{fourth.title()} sees it in the lobby stream and takes the last seat: the table starts.")
        return await lobby.get_game(game.game_id)

    def _winnings(self, game: Game) -> str:
        if self._options.rules.variant is Variant.DIFFERENZLER:
            return f"the winner gets {words.money(game.quote.net)}"
        return f"the winners get {' + '.join(map(words.money, game.quote.side_payouts))}"

    async def _play(self, game: Game) -> TableView:
        """Play all four seats; return the first player's last view."""
        seated = [seat.player_id.title() for seat in game.seats]
        if self._options.rules.variant is Variant.DIFFERENZLER:
            self._say(f"{words.names(seated)} play, each for themselves.")
        else:
            sides = [words.names(seated[side::2]) for side in (0, 1)]
            self._say(f"{sides[0]} play against {sides[1]}.")
        commentary = Commentary(self._console, seated)
        begun = asyncio.Event()

        def observe(update: Update) -> None:
            if not self._options.quiet:
                commentary.observe(update)
            begun.set()

        async def play(player: str) -> TableView:
            jass = self._players[player]
            table_id = await jass.lobby.wait_for_table(game.game_id)
            if player == PLAYERS[0]:
                return await jass.table.play(table_id, choose, observe=observe)
            # The commentary follows the first player's stream: nobody acts until it is connected.
            await begun.wait()
            return await jass.table.play(table_id, choose)

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(play(player)) for player in PLAYERS]
        return tasks[0].result()

    async def _balances(self) -> dict[str, Balance]:
        return {player: await jass.wallet.get_balance(CURRENCY) for player, jass in self._players.items()}

    async def _books(self, game_id: str, view: TableView, before: dict[str, Balance]) -> audit.Books:
        return audit.Books(
            view=view,
            game=await self._operator.lobby.get_game(game_id),
            pot=await self._operator.wallet.get_pot(game_id) if self._options.stake else None,
            before=before,
            after=await self._balances(),
            entries={
                player: [
                    entry async for entry in jass.wallet.all_entries(CURRENCY) if entry.pot_id == game_id
                ]
                for player, jass in self._players.items()
            },
            trial=await self._operator.wallet.trial_balance(),
        )

    def _print_money(self, books: audit.Books) -> None:
        self._say()
        self._say("[bold]Money[/]")
        payouts = audit.paid(books)
        for player in PLAYERS:
            before, after = (words.money(each[player].available) for each in (books.before, books.after))
            won = f"  paid {words.money(chf(payouts[player]))}" if payouts[player] else ""
            self._say(f"  {player.title():8} {before:>12} before  {after:>12} after{won}")
        if books.pot is not None:
            paid = " + ".join(words.money(each.amount) for each in books.pot.payouts)
            fee = words.money(books.pot.fee_taken)
            self._say(f"  pot {words.money(books.pot.quote.pot)} = payouts {paid} + fee {fee}")
        lines = ", ".join(f"{line.kind} {words.money(line.total)}" for line in books.trial.lines)
        total = " ".join(map(words.money, books.trial.totals))
        self._say(f"  trial balance: {lines}; total {total}")
        if not audit.disagreements(books):
            self._say("The ledger agrees with the table.")


def _by_seat(view: TableView) -> list[str]:
    return [seat.player_id.title() for seat in view.seats]
