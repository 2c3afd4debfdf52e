"""Owns how a person at the terminal sees a match: the table, the hand with its legal cards, the score.

Everything is drawn from the person's own view, so nothing can be seen here that a player may not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from jasshaus.cli import words
from jasshaus.cli.play_input import weis_offered
from jasshaus.cli.words import Style
from jasshaus.rules.cards import next_seat
from jasshaus.rules.game import View
from jasshaus.rules.view import DifferenzlerView
from jasshaus.rules.view import View as SchieberView
from jasshaus.rules.weis import Weis, WeisKind, weis_points

_WIDTH: Final = 40
_LINES: Final = ("╭──╮", "│{}│", "╰──╯")
_ASCII_LINES: Final = (".--.", "|{}|", "'--'")


class Drawing:
    """Draws for the person in `seat`; `ascii_only` for terminals that show nothing else."""

    def __init__(self, players: Sequence[str], seat: int, style: Style, *, ascii_only: bool) -> None:
        self._players = players
        self._seat = seat
        self._style = style
        self._frame = _ASCII_LINES if ascii_only else _LINES

    def table(self, view: View) -> Iterator[str]:
        """Draw the players around the table with their cards of the trick: the next one sits on the right."""
        right, partner, left = (next_seat(self._seat, steps) for steps in (1, 2, 3))
        yield f"  [dim]{self._heading(view)}[/]"
        yield _middle(self._players[partner])
        yield self._in_the_middle(view, partner)
        yield f"  {self._players[left]:<{_WIDTH - 12}}{self._players[right]:>8}"
        yield f"  {self._on_table(view, left)}{' ' * (_WIDTH - 8)}{self._on_table(view, right)}"
        yield self._in_the_middle(view, self._seat)
        if isinstance(view, SchieberView) and not view.tricks:
            yield from self._notices(view)

    def hand(self, view: View) -> Iterator[str]:
        """Draw the person's cards, with a number under each that may be played now."""
        legal = view.legal.cards if view.legal else ()
        if not view.hand:
            yield "  You have no cards."
            return
        styled = [
            self._style.card(card) if card in legal or not legal else f"[dim]{self._style.plain(card)}[/]"
            for card in view.hand
        ]
        top, middle, bottom = self._frame
        yield "  " + top * len(view.hand)
        yield "  " + "".join(middle.format(card) for card in styled)
        yield "  " + bottom * len(view.hand)
        if legal:
            numbers = {card: f" [bold]{number}[/]  " for number, card in enumerate(legal, start=1)}
            yield ("  " + "".join(numbers.get(card, "    ") for card in view.hand)).rstrip()

    def contracts(self, view: SchieberView) -> Iterator[str]:
        """List what may be chosen, with numbers."""
        legal = view.legal
        if legal is None:
            return
        factors = view.rules.multipliers
        offers = [
            f"[bold]{number}[/] {self._style.contract(contract)} x{factors[contract]}"
            for number, contract in enumerate(legal.contracts, start=1)
        ]
        if legal.can_push:
            offers.append(f"[bold]{len(offers) + 1}[/] push to {self._players[next_seat(self._seat, 2)]}")
        yield "  " + "   ".join(offers)

    def declarations(self, view: SchieberView) -> Iterator[str]:
        """List the Weis that may be declared, with numbers."""
        legal = view.legal
        if legal is None:
            return
        yield "  You may declare Weis:"
        offers = weis_offered(legal)
        for number, offer in enumerate(offers, start=1):
            note = "  (the best you can)" if number == 1 and len(offers) > 1 else ""
            yield f"  [bold]{number}[/] {', '.join(self._weis(view, weis) for weis in offer)}{note}"
        yield "  [bold]0[/] nothing"

    def score(self, view: View) -> Iterator[str]:
        """Tell the totals, and the points of this deal where the table shows them."""
        if isinstance(view, DifferenzlerView):
            yield f"  Penalties after {self._deals_counted(view)}:"
            for seat, total in enumerate(view.totals):
                running = "" if view.running is None else f", {view.running[seat]} made in this deal"
                yield f"    {self._players[seat]:<8} {total:>4}{running}{self._announced(view, seat)}"
            return
        yield f"  Points after {self._deals_counted(view)}, to {view.rules.target}:"
        for side, total in enumerate(view.totals):
            running = "" if view.running is None else f", {view.running[side]} in this deal"
            yield f"    {words.names(self._players[side::2]):<17} {total:>5}{running}"
        if view.running is None and view.contract is not None:
            yield "    Points of this deal are not shown at this table: count."

    def last_trick(self, view: View) -> Iterator[str]:
        """Tell the last complete trick of this deal."""
        if not view.tricks:
            yield "  No trick of this deal is complete."
            return
        trick = view.tricks[-1]
        played = "  ".join(
            f"{self._players[next_seat(trick.leader, place)]} {self._style.card(card)}"
            for place, card in enumerate(trick.cards)
        )
        points = "" if trick.points is None else f", {trick.points} points"
        yield f"  {len(view.tricks)}  {played}  -> {self._players[trick.winner]}{points}"

    def _heading(self, view: View) -> str:
        parts = [f"Deal {view.deal}"]
        if view.contract is not None:
            factor = f" x{view.multiplier}" if isinstance(view, SchieberView) else " are trumps"
            parts.append(f"{self._style.contract(view.contract)}{factor}")
            if view.hand:
                parts.append(f"trick {len(view.tricks) + 1}")
        if isinstance(view, DifferenzlerView):
            parts += self._of_announcements(view)
        elif view.contract is None and view.pushed and view.forehand is not None:
            parts.append(f"{self._players[view.forehand]} has pushed")
        return ", ".join(parts)

    def _notices(self, view: SchieberView) -> Iterator[str]:
        for seat, notices in enumerate(view.notices):
            if notices:
                said = [
                    self._style.weis(each.length, each.points, quartet=each.kind is WeisKind.QUARTET)
                    for each in notices
                ]
                yield f"  Weis   {self._players[seat]} {', '.join(said)}"

    def _of_announcements(self, view: DifferenzlerView) -> Iterator[str]:
        for seat, points in enumerate(view.announced):
            if points is not None:
                made = "" if view.running is None else f" and made {view.running[seat]}"
                yield f"{self._players[seat]} announced {points}{made}"

    def _announced(self, view: DifferenzlerView, seat: int) -> str:
        points = view.announced[seat]
        return "" if points is None else f", {points} announced"

    def _deals_counted(self, view: View) -> str:
        counted = 0 if view.last_deal is None else view.last_deal.deal
        return f"{counted} deal{'' if counted == 1 else 's'}"

    def _on_table(self, view: View, seat: int) -> str:
        place = -1 if view.leader is None else seat - view.leader & 3
        return self._style.card(view.table[place]) if 0 <= place < len(view.table) else "--"

    def _in_the_middle(self, view: View, seat: int) -> str:
        return f"{' ' * (_WIDTH // 2 - 1)}{self._on_table(view, seat)}"

    def _weis(self, view: SchieberView, weis: Weis) -> str:
        cards = " ".join(self._style.card(card) for card in range(36) if weis.cards >> card & 1)
        points = weis_points(weis, view.rules)
        kind = "four of a kind" if weis.kind is WeisKind.QUARTET else f"run of {weis.length}"
        return f"{cards} [dim]{kind}[/] ({points})"


def _middle(name: str) -> str:
    return f"{name:^{_WIDTH}}".rstrip()
