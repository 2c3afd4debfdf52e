"""A transcript's words with their positions, and a cursor that reads a line word by word.

Every game reads and writes its own lines with these (schieber/lines.py, differenzler/lines.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from jasshaus.rules.core.cards import HAND_SIZE, SEATS, Contract, parse_card, parse_contract
from jasshaus.rules.core.weis import Weis, weis_of

_WORD: Final = re.compile(r"[^\s,]+|,")
#: A whole number of plausible size.
NUMBER: Final = re.compile(r"-?[0-9]{1,6}")


class TranscriptError(ValueError):
    """An unreadable or incorrect transcript: position (both from 1) and error."""

    def __init__(self, line: int, column: int, text: str) -> None:
        """Store the position and the error."""
        super().__init__(f"line {line}, column {column}: {text}")
        self.line = line
        self.column = column
        self.text = text


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its position, both from 1."""

    text: str
    line: int
    column: int

    def wrong(self, text: str) -> TranscriptError:
        """Return an error at this word."""
        return TranscriptError(self.line, self.column, text)


def numbers(values: Iterable[int]) -> str:
    """Write numbers with a space between them."""
    return " ".join(map(str, values))


def split(text: str) -> list[str]:
    """Return the bare words of a line; a comma is a word."""
    return _WORD.findall(text)


class Line:
    """A line's words, consumed in order."""

    def __init__(self, number: int, text: str) -> None:
        """Split a line without its remark; `number` counts from 1."""
        self.words = [Word(found.group(), number, found.start() + 1) for found in _WORD.finditer(text)]
        self._end = Word("", number, len(text.rstrip()) + 1)
        self._taken = 0

    @property
    def here(self) -> Word:
        """The next word, or the empty one at the end of the line."""
        return self.words[self._taken] if self._taken < len(self.words) else self._end

    def take(self, expected: str) -> Word:
        """Take the next word. Raises TranscriptError at the end of the line."""
        word = self.here
        if not word.text:
            raise word.wrong(f"{expected} is missing")
        self._taken += 1
        return word

    def skip(self, text: str) -> bool:
        """Take the next word if it is this one."""
        found = self.here.text == text
        self._taken += found
        return found

    def number(self, expected: str) -> int:
        """Take a whole number."""
        word = self.take(expected)
        if not NUMBER.fullmatch(word.text):
            raise word.wrong(f"{word.text!r} is not {expected}")
        return int(word.text)

    def seat(self) -> int:
        """Take a seat."""
        word = self.take("a seat, 0 to 3,")
        if word.text not in {str(seat) for seat in SEATS}:
            raise word.wrong(f"{word.text!r} is not a seat, 0 to 3")
        return int(word.text)

    def card(self) -> int:
        """Take a card."""
        word = self.take("a card")
        try:
            return parse_card(word.text)
        except ValueError:
            raise word.wrong(f"{word.text!r} is not a card, such as RU") from None

    def contract(self) -> Contract:
        """Take a contract."""
        word = self.take("a contract")
        try:
            return parse_contract(word.text)
        except ValueError:
            raise word.wrong(f"{word.text!r} is not a contract: E, R, S, B, OBE or UNE") from None

    def hand(self, owners: dict[int, int], seat: int) -> int:
        """Take nine cards without an owner and enter the seat as their owner; return their mask."""
        mask = 0
        for _ in range(HAND_SIZE):
            word, card = self.here, self.card()
            if card in owners:
                raise word.wrong(f"{word.text} is in hand {owners[card]} already")
            owners[card] = seat
            mask |= 1 << card
        if self._at_card():
            raise self.here.wrong("a hand has nine cards")
        return mask

    def weis(self) -> tuple[Weis, ...]:
        """Take a declaration: `-` or combinations with commas between them."""
        if self.skip("-"):
            return ()
        declared = []
        while True:
            begin, cards = self.here, 1 << self.card()
            while self._at_card():
                cards |= 1 << self.card()
            made = weis_of(cards)
            if made is None:
                raise begin.wrong("that is no Weis: a run of three or more, or four of a rank")
            declared.append(made)
            if not self.skip(","):
                return tuple(declared)

    def _at_card(self) -> bool:
        try:
            parse_card(self.here.text)
        except ValueError:
            return False
        return True

    def done(self) -> None:
        """Raise an error if anything is left on the line."""
        if self.here.text:
            raise self.here.wrong(f"{self.here.text!r} is not expected here")
