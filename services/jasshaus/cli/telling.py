"""Owns the sentences in which a match is told: what a card player wants to follow, line by line.

Whoever tells a match uses these, from a stream or from the rules' own events; the same match gives the same
text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from jasshaus.cli import words
from jasshaus.cli.words import Style
from jasshaus.rules.cards import Contract

Lines = Iterator[str]


class Telling:
    """Makes lines of what happens; a trick's cards are kept until it is complete.

    `players` are the names by seat; `you` is the seat of the person who reads, if it is one of them. Weis and
    points may be announced in any order: they are told together, by seat.
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
        yield f"\n[bold]Deal {deal}[/]  dealt by {self.players[dealer]}, {self.does(forehand, 'begins')}"

    def trumps_turned_up(self, card: int) -> Lines:
        """Tell a Differenzler's trumps: the suit of the last card dealt."""
        yield f"  {self.style.card(card)} is turned up: {self.style.contract(Contract(card // 9))} are trumps"

    def pushed(self, seat: int) -> None:
        """Remember who pushed; it is told with the contract."""
        self._pusher = seat

    def contract_chosen(self, seat: int, contract: Contract, multiplier: int) -> Lines:
        """Tell the contract."""
        pushed = "" if self._pusher is None else f"{self.does(self._pusher, 'pushes')}, "
        yield f"  {pushed}{self.does(seat, 'chooses')} {self.style.contract(contract)}, x{multiplier}"

    def announced(self, seat: int, points: int) -> None:
        """Remember what a seat announced; it is told before the first card."""
        self._announced[seat] = points

    def declared(self, seat: int, weis: Sequence[str]) -> None:
        """Remember what a seat declared; it is told with the first trick."""
        self._declared[seat] = ", ".join(weis)

    def card_played(self, seat: int, card: int, mark: str = "") -> Lines:
        """Put a card to the trick."""
        if self._announced:
            said = [f"{self.players[each]} {points}" for each, points in sorted(self._announced.items())]
            yield f"  Announced  {'  '.join(said)}"
            self._announced = {}
        self._trick.append(f"{self.players[seat]}{mark} {self.style.card(card)}")

    def trick_won(self, seat: int, number: int) -> Lines:
        """Tell a complete trick."""
        said = [f"{self.players[each]} {text}" for each, text in sorted(self._declared.items()) if text]
        if said:
            yield f"  Weis   {'; '.join(said)}"
        self._declared = {}
        yield f"  {number}  {'  '.join(self._trick)}  -> {self.players[seat]}"
        self._trick = []

    def weis_scored(self, side: int, points: int, multiplier: int, shown: Sequence[tuple[int, str]]) -> Lines:
        """Tell the Weis that scored, by seat; `points` are not multiplied yet, as those of each Weis."""
        count = f"{points}" if multiplier == 1 else f"{points} x{multiplier} = {points * multiplier}"
        each = "; ".join(f"{self.players[seat]} {text}" for seat, text in shown)
        yield f"  Weis   {count} for {words.names(self.players[side::2])}: {each}"

    def stoeck_scored(self, seat: int, points: int) -> Lines:
        """Tell Stöck; `points` are multiplied."""
        yield f"  Stöck  {self.players[seat]}, {points}"

    def claimed(self, seat: int) -> Lines:
        """Tell a claim."""
        yield f'  {self.players[seat]}: "Thank you, enough."'

    def deal_scored(
        self,
        cards: Sequence[int],
        multiplier: int,
        extras: Mapping[str, Sequence[int]],
        score: Sequence[int],
        totals: Sequence[int],
    ) -> Lines:
        """Tell how a Schieber deal counts, by side: card points before the multiplier, extras after it."""
        parts = [f"cards {words.versus(cards)} x{multiplier}"]
        parts += [f"{name} {words.versus(points)}" for name, points in extras.items() if any(points)]
        yield f"  Score  {', '.join(parts)} = {words.versus(score)}"
        yield f"  Total  [bold]{words.versus(totals)}[/]"

    def penalties_scored(
        self, announced: Sequence[int], made: Sequence[int], penalties: Sequence[int], totals: Sequence[int]
    ) -> Lines:
        """Tell how a Differenzler deal counts, by seat."""
        width = max(map(len, self.players))
        counted = zip(self.players, announced, made, penalties, strict=True)
        for place, (name, said, done, penalty) in enumerate(counted):
            begin = " " * 7 if place else "Score  "
            yield f"  {begin}{name:<{width}}  announced {said:3}, made {done:3} = {penalty:3}"
        each = "  ".join(f"{name} {total}" for name, total in zip(self.players, totals, strict=True))
        yield f"  Total  [bold]{each}[/]"

    def ended(self, sentence: str) -> Lines:
        """Tell how the match ended, after the cards of a trick that was cut off."""
        yield from self.broken_off()
        yield ""
        yield f"[bold]{sentence}[/]"

    def broken_off(self) -> Lines:
        """Tell the cards of a trick that was not completed, if there are any."""
        if self._trick:
            yield f"  -  {'  '.join(self._trick)}"
        self._trick = []

    def does(self, seat: int, verb: str) -> str:
        """Say that a player does something: the verb is in the third person, "pushes"."""
        stem = verb.removesuffix("es") if verb.endswith("shes") else verb.removesuffix("s")
        return f"{self.players[seat]} {stem if seat == self._you else verb}"

    def victory(
        self, winners: Sequence[int], how: str, points: Sequence[int], *, schneider: bool = False
    ) -> str:
        """Say who won; `how` is "win", or what follows "they": "win with Stöck"."""
        if len(winners) == 1 and winners[0] != self._you:
            how = how.replace("win", "wins", 1)
        tail = ", Schneider" if schneider else ""
        return f"{words.names(self.players[seat] for seat in winners)} {how}: {words.versus(points)}{tail}"
