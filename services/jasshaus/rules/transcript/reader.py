"""Reads a transcript: plays every line at once, and compares its statements with the rules."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from jasshaus.rules.core.cards import SEATS, holds, next_seat
from jasshaus.rules.core.dealing import ROSE7_DEALER, stacked_deck
from jasshaus.rules.core.events import PlayCard, StartDeal, TrickWon
from jasshaus.rules.core.lines import NUMBER, Line, Word, split
from jasshaus.rules.core.options import FirstForehand, OptionError, RuleSet, rule_set
from jasshaus.rules.core.refusals import Reason, RuleViolation
from jasshaus.rules.core.tricks import Trick
from jasshaus.rules.registry import GAMES, Command, Event, Match, advance, decide, game_of, new_match, pending
from jasshaus.rules.transcript.record import Move, Transcript
from jasshaus.rules.transcript.writer import outcomes

_OPTIONS: Final = frozenset(field.name for field in fields(RuleSet))
_ASKS_WHOSE_TURN: Final = (Reason.NOT_YOUR_TURN, Reason.CARD_NOT_IN_HAND)


def parse_transcript(text: str) -> Transcript:
    """Read a transcript and play it. Raises TranscriptError at the first error."""
    reader, number = _Reader(), 0
    for number, written in enumerate(text.splitlines(), start=1):
        code, mark, remark = written.partition("#")
        if mark:
            reader.remarks.append(remark.strip())
        line = Line(number, code)
        if line.words:
            reader.read(line)
    return reader.finish(Word("", number + 1, 1))


class _Heading:
    """The preset and its overrides."""

    def __init__(self) -> None:
        self.preset: Word | None = None
        self._options: dict[str, tuple[Word, object]] = {}

    def read(self, line: Line) -> None:
        keyword = line.take("a keyword")
        if self.preset is None:
            if keyword.text != "preset":
                raise keyword.wrong("a transcript begins with its preset")
            self.preset = line.take("the name of a preset")
            line.done()
        elif keyword.text in self._options:
            raise keyword.wrong(f"{keyword.text} is given twice")
        else:
            self._options[keyword.text] = keyword, _option_value(line)

    def rules(self, end: Word) -> RuleSet:
        if self.preset is None:
            raise end.wrong("a transcript begins with its preset")
        given = {name: value for name, (_, value) in self._options.items()}
        try:
            return rule_set(self.preset.text, given)
        except OptionError as refused:
            word, _ = self._options.get(refused.field.partition(".")[0], (self.preset, None))
            raise word.wrong(str(refused)) from None


def _option_value(line: Line) -> object:
    words = [line.take("a value")]
    while line.here.text:
        words.append(line.take("a value"))
    named = {"true": True, "false": False, "none": None}
    values = [
        int(word.text) if NUMBER.fullmatch(word.text) else named.get(word.text, word.text) for word in words
    ]
    return values[0] if len(values) == 1 else tuple(values)


class _Deal:
    """The lines of a deal, collected until it is complete."""

    def __init__(self, line: Line, remarks: tuple[str, ...]) -> None:
        self.remarks = remarks
        self.keyword = line.take("a keyword")
        self.said = {"deal": (line.here, line.number("the number of the deal"))}
        for name in ("dealer", "forehand"):
            if line.skip(name):
                self.said[name] = line.here, line.seat()
        line.done()
        self.hands: dict[int, int] = {}
        self.trump: tuple[Word, int | None] = (self.keyword, None)
        self._owners: dict[int, int] = {}

    def read(self, line: Line) -> None:
        keyword, place = line.take("a keyword"), line.here
        if keyword.text == "trump":
            self.trump = place, line.card()
        else:
            seat = line.seat()
            if seat in self.hands:
                raise place.wrong(f"hand {seat} is given twice")
            self.hands[seat] = line.hand(self._owners, seat)
        line.done()

    def command(self, match: Match) -> StartDeal:
        """Return the command for this deal."""
        missing = [str(seat) for seat in SEATS if seat not in self.hands]
        if missing:
            raise self.keyword.wrong(f"the cards of hand {missing[0]} are missing")
        drawn = match.deal == 0 and match.rules.first_forehand is FirstForehand.RANDOM
        if drawn and "forehand" not in self.said:
            raise self.keyword.wrong("the forehand of the first deal is missing")
        forehand = self.said["forehand"][1] if drawn else None
        if drawn:
            dealer = next_seat(self.said["forehand"][1], 3)
        else:
            dealer = match.forehand if match.deal else ROSE7_DEALER
        hands = [self.hands[seat] for seat in SEATS]
        deck = stacked_deck(hands, dealer, self._trump_card(match, dealer))
        return StartDeal(deck, forehand)

    def _trump_card(self, match: Match, dealer: int) -> int | None:
        place, card = self.trump
        game = game_of(match.rules)
        if not game.shows_trump:
            if card is not None:
                raise place.wrong(f"a {game.variant.capitalize()} shows no trump card")
        elif card is None:
            raise place.wrong("the trump card is missing")
        elif not holds(self.hands[dealer], card):
            raise place.wrong(f"{place.text} is the last card dealt, so it is in hand {dealer}")
        return card

    def check(self, event: Event) -> None:
        """Compare the first line's statements with the rules."""
        for name, (place, number) in self.said.items():
            if getattr(event, name) != number:
                raise place.wrong(f"by the rules it is {name} {getattr(event, name)}")


class _Reader:
    """Reads line after line and plays each at once."""

    def __init__(self) -> None:
        self.remarks: list[str] = []  # since the last move
        self._opening: tuple[str, ...] = ()
        self._heading = _Heading()
        self._match: Match | None = None  # None while the heading is read
        self._moves: list[Move] = []
        self._deal: _Deal | None = None
        self._followed: list[str] = []  # lines of what followed from the last line that did something

    def read(self, line: Line) -> None:
        """Read a line. Raises TranscriptError."""
        if line.here.text == "deal":
            self._begun(line.here)
            self._deal = _Deal(line, self._taken_remarks())
        elif self._match is None:
            if self._heading.preset is None:
                self._opening, self.remarks = tuple(self.remarks), []
            self._heading.read(line)
        elif self._deal is not None and line.here.text in {"hand", "trump"}:
            self._deal.read(line)
        else:
            self._read_move(self._begun(line.here), line)

    def finish(self, end: Word) -> Transcript:
        """Return the transcript once all lines are read."""
        match = self._begun(end)
        return Transcript(match.rules, tuple(self._moves), self._opening, tuple(self.remarks))

    def _begun(self, place: Word) -> Match:
        """Return the match, including the deal that has been read, if any."""
        if self._match is None:
            self._match = new_match(self._heading.rules(place))
        if self._deal is not None:
            deal, self._deal = self._deal, None
            command = deal.command(self._match)
            (event,) = self._do(self._match, Move(command, None, deal.remarks), deal.keyword)
            deal.check(event)
        return self._match

    def _read_move(self, match: Match, line: Line) -> None:
        keyword = line.here.text
        if keyword == "preset":
            raise line.here.wrong("a file holds one match, and its preset stands first")
        if keyword in _OPTIONS:
            raise line.here.wrong("options stand before the first deal")
        if keyword in game_of(match.rules).lines.outcomes(match.rules):
            self._compare(line)
        elif keyword == "refused":
            self._read_refused(match, line)
        elif keyword == "trick":
            self._followed = []
            self._read_trick(match, line)
        else:
            self._followed = []
            command, place = _command(line)
            self._do(match, Move(command, None, self._taken_remarks()), place)
        line.done()

    def _read_trick(self, match: Match, line: Line) -> None:
        line.take("trick")
        place, number = line.here, line.number("the number of the trick")
        due = len(match.tricks) + 1
        if match.table and number == due + 1:
            raise place.wrong(f"trick {due} has {len(match.table)} of its four cards so far")
        if number != due:
            raise place.wrong(f"the next trick is number {due}")
        if line.skip("by"):
            place, leader = line.here, line.seat()
            if match.table:
                raise place.wrong("this trick has been led")
            if leader != match.player:
                raise place.wrong(f"seat {match.player} leads")
        complete = False
        while not complete and line.here.text != "to":
            place, card = line.here, line.card()
            played = PlayCard(match.player, card)
            events = self._do(match, Move(played, None, self._taken_remarks()), place)
            match = self._begun(place)
            complete = any(isinstance(event, TrickWon) for event in events)
            if not line.here.text:
                return
        if not line.skip("to"):
            raise line.here.wrong("a trick has four cards")
        if not complete:
            raise line.here.wrong("this trick is not complete")
        self._compare_trick(match.tricks[-1], line)

    def _compare_trick(self, trick: Trick, line: Line) -> None:
        place = line.here
        if line.seat() != trick.winner:
            raise place.wrong(f"by the rules the trick goes to seat {trick.winner}")
        if line.skip("for"):
            place = line.here
            if line.number("points") != trick.points:
                raise place.wrong(f"by the rules the trick counts {trick.points}")

    def _read_refused(self, match: Match, line: Line) -> None:
        line.take("refused")
        command, place = _command(line)
        word = line.take("the reason of the refusal")
        try:
            decide(match, command)
        except RuleViolation as refused:
            if refused.reason != word.text:
                raise word.wrong(f"the rules refuse this as {refused.reason}") from None
            self._moves.append(Move(command, refused.reason, self._taken_remarks()))
        else:
            raise place.wrong("the rules allow this")

    def _compare(self, line: Line) -> None:
        """Compare a consequence line; earlier consequences may be left out."""
        keyword = line.here
        while self._followed and self._followed[0].split()[0] != keyword.text:
            del self._followed[0]
        if not self._followed:
            raise keyword.wrong("by the rules nothing of the kind happens here")
        told = self._followed.pop(0)
        for expected in split(told):
            if line.here.text != expected:
                raise line.here.wrong(f"by the rules: {' '.join(told.split())}")
            line.take(expected)

    def _do(self, match: Match, move: Move, place: Word) -> tuple[Event, ...]:
        try:
            self._match, events = advance(match, move.command)
        except RuleViolation as refused:
            turn = _turn(match) if refused.reason in _ASKS_WHOSE_TURN else ""
            raise place.wrong(f"{refused.text} ({refused.reason}){turn}") from None
        self._moves.append(move)
        self._followed += outcomes(match.rules, events)
        return events

    def _taken_remarks(self) -> tuple[str, ...]:
        taken, self.remarks = tuple(self.remarks), []
        return taken


def _turn(match: Match) -> str:
    """Return whose turn it is, to explain refusals to a typist."""
    asked = [str(each.seat) for each in pending(match) if each.seat is not None]
    return f": it is the turn of seat {' or '.join(asked)}" if asked else ""


def _command(line: Line) -> tuple[Command, Word]:
    """Read a command, and the word to blame when it is refused."""
    keyword, place = line.take("a keyword"), line.here
    if keyword.text == "play":
        seat, place = line.seat(), line.here
        return PlayCard(seat, line.card()), place
    for game in GAMES:
        read = game.lines.commands.get(keyword.text)
        if read is not None:
            command: Command = read(line)
            return command, place
    raise keyword.wrong(f"{keyword.text!r} begins no line here")
