"""Draws a terminal match: the table, the hand with its legal cards, the score.

Everything is drawn from the person's own view, so hidden cards cannot appear.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Final

from jasshaus.cli import words
from jasshaus.cli.play.input import weis_offered
from jasshaus.cli.words import Style
from jasshaus.rules.core.cards import SEATS, next_seat
from jasshaus.rules.core.weis import Weis, WeisKind, weis_points
from jasshaus.rules.differenzler import View as DifferenzlerView
from jasshaus.rules.registry import View
from jasshaus.rules.schieber import View as SchieberView

_WIDTH: Final = 40
_LINES: Final = ("╭──╮", "│{}│", "╰──╯")
_ASCII_LINES: Final = (".--.", "|{}|", "'--'")


class Drawing:
    """Draws for the person in `seat`; `ascii_only` for terminals without Unicode."""

    def __init__(self, players: Sequence[str], seat: int, style: Style, *, ascii_only: bool) -> None:
        self._players = players
        self._seat = seat
        self._style = style
        self._frame = _ASCII_LINES if ascii_only else _LINES

    def table(self, view: View, weis_of: Container[int] = SEATS) -> Iterator[str]:
        """Draw the players around the table with their cards of the trick; the next seat sits on the right.

        The first trick shows the Weis declared by the seats `weis_of`.
        """
        right, partner, left = (next_seat(self._seat, steps) for steps in (1, 2, 3))
        yield f"  [dim]{self._heading(view)}[/]"
        yield _middle(self._players[partner])
        yield self._in_the_middle(view, partner)
        yield f"  {self._players[left]:<{_WIDTH - 12}}{self._players[right]:>8}"
        yield f"  {self._on_table(view, left)}{' ' * (_WIDTH - 8)}{self._on_table(view, right)}"
        yield self._in_the_middle(view, self._seat)
        if isinstance(view, SchieberView) and not view.tricks:
            yield from self._notices(view, weis_of)

    def hand(self, view: View) -> Iterator[str]:
        """Draw the person's cards, with a number under each that may be played now."""
        legal = view.legal.cards if view.legal else ()
        if not view.hand:
            yield f"  {self._style.say('table.no_cards')}"
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
        """List the possible contracts, numbered."""
        legal = view.legal
        if legal is None:
            return
        factors = view.rules.multipliers
        offers = [
            f"[bold]{number}[/] {self._style.contract(contract)} x{factors[contract]}"
            for number, contract in enumerate(legal.contracts, start=1)
        ]
        if legal.can_push:
            partner, push = self._players[next_seat(self._seat, 2)], self._style.say("commands.push")
            offers.append(
                f"[bold]{len(offers) + 1}[/] {self._style.say('table.push_to', push=push, partner=partner)}"
            )
        yield "  " + "   ".join(offers)

    def declarations(self, view: SchieberView) -> Iterator[str]:
        """List the Weis that may be declared, numbered."""
        legal = view.legal
        if legal is None:
            return
        yield f"  {self._style.say('table.may_declare')}"
        offers = weis_offered(legal)
        for number, offer in enumerate(offers, start=1):
            note = f"  {self._style.say('table.best')}" if number == 1 and len(offers) > 1 else ""
            yield f"  [bold]{number}[/] {', '.join(self._weis(view, weis) for weis in offer)}{note}"
        yield f"  [bold]0[/] {self._style.say('table.nothing')}"

    def score(self, view: View) -> Iterator[str]:
        """Draw the totals, and the points of this deal if the table shows them."""
        say, deals = self._style.say, self._deals_counted(view)
        if isinstance(view, DifferenzlerView):
            yield f"  {say('table.penalties_after', deals=deals)}"
            for seat, total in enumerate(view.totals):
                running = ""
                if view.running is not None:
                    running = f", {say('table.made_in_deal', points=view.running[seat])}"
                yield f"    {self._players[seat]:<8} {total:>4}{running}{self._announced(view, seat)}"
            return
        yield f"  {say('table.points_after', deals=deals, target=view.rules.target)}"
        for side, total in enumerate(view.totals):
            running = "" if view.running is None else f", {say('table.in_deal', points=view.running[side])}"
            yield f"    {words.names(self._players[side::2], say('sitting.and')):<17} {total:>5}{running}"
        if view.running is None and view.contract is not None:
            yield f"    {say('table.not_shown')}"

    def last_trick(self, view: View) -> Iterator[str]:
        """Draw the last complete trick of this deal."""
        if not view.tricks:
            yield f"  {self._style.say('table.no_trick')}"
            return
        trick = view.tricks[-1]
        played = "  ".join(
            f"{self._players[next_seat(trick.leader, place)]} {self._style.card(card)}"
            for place, card in enumerate(trick.cards)
        )
        points = "" if trick.points is None else f", {self._style.say('table.points', points=trick.points)}"
        yield f"  {len(view.tricks)}  {played}  -> {self._players[trick.winner]}{points}"

    def _heading(self, view: View) -> str:
        say = self._style.say
        parts = [say("table.deal", deal=view.deal)]
        if view.contract is not None:
            contract = self._style.contract(view.contract)
            parts.append(
                f"{contract} x{view.multiplier}"
                if isinstance(view, SchieberView)
                else say("table.trumps", suit=contract)
            )
            if view.hand:
                parts.append(say("table.trick", trick=len(view.tricks) + 1))
        if isinstance(view, DifferenzlerView):
            parts += self._of_announcements(view)
        elif view.contract is None and view.pushed and view.forehand is not None:
            form = "table.has_pushed_you" if view.forehand == self._seat else "table.has_pushed"
            parts.append(say(form, player=self._players[view.forehand]))
        return ", ".join(parts)

    def _notices(self, view: SchieberView, weis_of: Container[int]) -> Iterator[str]:
        for seat, notices in enumerate(view.notices):
            if notices and seat in weis_of:
                said = [
                    self._style.weis(each.length, each.points, quartet=each.kind is WeisKind.QUARTET)
                    for each in notices
                ]
                yield f"  {self._style.say('table.weis')}   {self._players[seat]} {', '.join(said)}"

    def _of_announcements(self, view: DifferenzlerView) -> Iterator[str]:
        for seat, points in enumerate(view.announced):
            if points is not None:
                made = None if view.running is None else view.running[seat]
                form = "table.has_announced" if made is None else "table.has_announced_and_made"
                yield self._style.say(form, player=self._players[seat], points=points, made=made)

    def _announced(self, view: DifferenzlerView, seat: int) -> str:
        points = view.announced[seat]
        return "" if points is None else f", {self._style.say('table.announced', points=points)}"

    def _deals_counted(self, view: View) -> str:
        counted = 0 if view.last_deal is None else view.last_deal.deal
        return self._style.say("table.one_deal" if counted == 1 else "table.deals", deals=counted)

    def _on_table(self, view: View, seat: int) -> str:
        place = -1 if view.leader is None else seat - view.leader & 3
        return self._style.card(view.table[place]) if 0 <= place < len(view.table) else "--"

    def _in_the_middle(self, view: View, seat: int) -> str:
        return f"{' ' * (_WIDTH // 2 - 1)}{self._on_table(view, seat)}"

    def _weis(self, view: SchieberView, weis: Weis) -> str:
        cards = " ".join(self._style.card(card) for card in range(36) if weis.cards >> card & 1)
        points = weis_points(weis, view.rules)
        quartet = weis.kind is WeisKind.QUARTET
        kind = (
            self._style.say("table.quartet") if quartet else self._style.say("table.run", length=weis.length)
        )
        return f"{cards} [dim]{kind}[/] ({points})"


def _middle(name: str) -> str:
    return f"{name:^{_WIDTH}}".rstrip()
