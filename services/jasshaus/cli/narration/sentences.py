"""Sentences that narrate a match, line by line.

Shared by all narrators, whether they follow a stream or the rules' own events; the same match gives the same
text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from jasshaus.cli import words
from jasshaus.cli.words import Style
from jasshaus.rules.core.cards import Contract

Lines = Iterator[str]

_LABELS: Final = ("weis", "stoeck", "score", "total")


class Telling:
    """Turns events into lines; a trick's cards are collected until it is complete.

    `players` are the names by seat; `you` is the reader's seat, if any. Weis and points may be announced in
    any order; they are narrated together, by seat.
    """

    def __init__(self, players: Sequence[str], you: int | None = None, style: Style | None = None) -> None:
        self.players = players
        self.style = style or Style()
        self._you = you
        self._trick: list[str] = []
        self._declared: dict[int, str] = {}
        self._announced: dict[int, int] = {}
        self._pusher: int | None = None

    def begin(self, deal: int, dealer: int, forehand: int) -> Lines:
        """Begin a deal."""
        self._trick, self._declared, self._announced, self._pusher = [], {}, {}, None
        say = self.style.say
        dealt_by = say("telling.dealt_by", player=self.players[dealer])
        yield f"\n[bold]{say('table.deal', deal=deal)}[/]  {dealt_by}, {self.does(forehand, 'begins')}"

    def trumps_turned_up(self, card: int) -> Lines:
        """Narrate a Differenzler's trumps: the suit of the last card dealt."""
        suit = self.style.contract(Contract(card // 9))
        yield f"  {self.style.say('telling.turned_up', card=self.style.card(card), suit=suit)}"

    def pushed(self, seat: int) -> None:
        """Record who pushed; narrated with the contract."""
        self._pusher = seat

    def contract_chosen(self, seat: int, contract: Contract, multiplier: int) -> Lines:
        """Narrate the contract."""
        pushed = "" if self._pusher is None else f"{self.does(self._pusher, 'pushes')}, "
        chosen = self.does(seat, "chooses", contract=self.style.contract(contract))
        yield f"  {pushed}{chosen}, x{multiplier}"

    def announced(self, seat: int, points: int) -> None:
        """Record an announcement; narrated before the first card."""
        self._announced[seat] = points

    def declared(self, seat: int, weis: Sequence[str]) -> None:
        """Record a declaration; narrated with the first trick."""
        self._declared[seat] = ", ".join(weis)

    def untold_weis(self) -> frozenset[int]:
        """Return the seats whose declaration will be narrated with the first trick."""
        return frozenset(self._declared)

    def weis_seen(self) -> None:
        """Mark the declarations so far as narrated: the reader has seen them elsewhere."""
        self._declared = {}

    def card_played(self, seat: int, card: int, mark: str = "") -> Lines:
        """Add a card to the trick."""
        if self._announced:
            said = [f"{self.players[each]} {points}" for each, points in sorted(self._announced.items())]
            yield f"  {self.style.say('telling.announced')}  {'  '.join(said)}"
            self._announced = {}
        self._trick.append(f"{self.players[seat]}{mark} {self.style.card(card)}")

    def trick_won(self, seat: int, number: int) -> Lines:
        """Narrate a complete trick."""
        said = [f"{self.players[each]} {text}" for each, text in sorted(self._declared.items()) if text]
        if said:
            yield f"  {self._label('weis')}{'; '.join(said)}"
        self._declared = {}
        yield f"  {number}  {'  '.join(self._trick)}  -> {self.players[seat]}"
        self._trick = []

    def weis_scored(self, side: int, points: int, multiplier: int, shown: Sequence[tuple[int, str]]) -> Lines:
        """Narrate the Weis that scored, by seat; `points` and those of each Weis are not multiplied yet."""
        count = f"{points}" if multiplier == 1 else f"{points} x{multiplier} = {points * multiplier}"
        each = "; ".join(f"{self.players[seat]} {text}" for seat, text in shown)
        who = words.names(self.players[side::2], self.style.say("sitting.and"))
        told = self.style.say("telling.weis_for", points=count, side=who, each=each)
        yield f"  {self._label('weis')}{told}"

    def stoeck_scored(self, seat: int, points: int) -> Lines:
        """Narrate Stöck; `points` are multiplied."""
        yield f"  {self._label('stoeck')}{self.players[seat]}, {points}"

    def claimed(self, seat: int) -> Lines:
        """Narrate a claim."""
        yield f"  {self.style.say('telling.enough', player=self.players[seat])}"

    def deal_scored(
        self,
        cards: Sequence[int],
        multiplier: int,
        extras: Mapping[str, Sequence[int]],
        score: Sequence[int],
        totals: Sequence[int],
    ) -> Lines:
        """Narrate the score of a Schieber deal, by side: card points before the multiplier, extras after it.

        Extras ("weis", "stoeck", "match") are included only if they scored.
        """
        say = self.style.say
        parts = [f"{say('telling.cards')} {words.versus(cards)} x{multiplier}"]
        parts += [
            f"{say(f'telling.{kind}')} {words.versus(points)}"
            for kind, points in extras.items()
            if any(points)
        ]
        yield f"  {self._label('score')}{', '.join(parts)} = {words.versus(score)}"
        yield f"  {self._label('total')}[bold]{words.versus(totals)}[/]"

    def penalties_scored(
        self, announced: Sequence[int], made: Sequence[int], penalties: Sequence[int], totals: Sequence[int]
    ) -> Lines:
        """Narrate the score of a Differenzler deal, by seat."""
        width = max(map(len, self.players))
        counted = zip(self.players, announced, made, penalties, strict=True)
        for place, (name, said, done, penalty) in enumerate(counted):
            label = self._label("score")
            begin = " " * len(label) if place else label
            told = self.style.say("telling.penalty", announced=said, made=done, penalty=penalty)
            yield f"  {begin}{name:<{width}}  {told}"
        each = "  ".join(f"{name} {total}" for name, total in zip(self.players, totals, strict=True))
        yield f"  {self._label('total')}[bold]{each}[/]"

    def ended(self, sentence: str) -> Lines:
        """Narrate how the match ended, after the cards of an interrupted trick."""
        yield from self.broken_off()
        yield ""
        yield f"[bold]{sentence}[/]"

    def broken_off(self) -> Lines:
        """Narrate the cards of an incomplete trick, if any."""
        if self._trick:
            yield f"  -  {'  '.join(self._trick)}"
        self._trick = []

    def does(self, seat: int, verb: str, **values: object) -> str:
        """Format an action of a player: `verb` is a phrase's name, such as "pushes"."""
        form = f"telling.{verb}_you" if seat == self._you else f"telling.{verb}"
        return self.style.say(form, player=self.players[seat], **values)

    def victory(
        self, winners: Sequence[int], how: str, points: Sequence[int], *, schneider: bool = False
    ) -> str:
        """Format who won; `how` is a phrase's name: "win", or "win_stoeck" etc. if two have won."""
        if len(winners) == 1:
            how = "wins_you" if winners[0] == self._you else "wins"
        who = words.names((self.players[seat] for seat in winners), self.style.say("sitting.and"))
        tail = f", {self.style.say('telling.schneider')}" if schneider else ""
        return f"{self.style.say(f'telling.{how}', winners=who)}: {words.versus(points)}{tail}"

    def _label(self, name: str) -> str:
        """Return the label of a line, padded to the width of the widest."""
        labels = {each: self.style.say(f"telling.{each}") for each in _LABELS}
        return f"{labels[name]:<{2 + max(map(len, labels.values()))}}"
