"""A terminal match between one person and three bots: turns, questions and output."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Final

from rich.console import Console
from rich.markup import escape

from jasshaus.bots import BOTS
from jasshaus.bots.schieber.reading import has_certainly_reached
from jasshaus.cli.narration.of_rules import Retelling
from jasshaus.cli.play.drawing import Drawing
from jasshaus.cli.play.help import rules_in_words, usage
from jasshaus.cli.play.input import (
    NotUnderstoodError,
    Wish,
    understand,
    understand_wish,
    understand_yes_or_no,
)
from jasshaus.cli.words import Style, sentence
from jasshaus.rules import schieber
from jasshaus.rules.core.cards import DEAL_POINTS, DECK_SIZE, SEATS, side_of
from jasshaus.rules.core.options import FirstForehand, RuleSet
from jasshaus.rules.core.refusals import RuleViolation
from jasshaus.rules.core.wording import reason_text
from jasshaus.rules.registry import (
    Command,
    Event,
    Match,
    Pending,
    PendingKind,
    View,
    claimants,
    decide,
    new_match,
    pending,
    project,
    replay,
    view,
)
from jasshaus.rules.schieber import View as SchieberView
from jasshaus.rules.schieber.scoring import STOECK_POINTS

YOU: Final = 0
_OTHERS: Final = ("Beat", "Claudia", "Dario")
_QUESTIONS: Final = {
    PendingKind.CONTRACT: "sitting.contract",
    PendingKind.WEIS: "sitting.weis",
    PendingKind.ANNOUNCEMENT: "sitting.announcement",
    PendingKind.CARD: "sitting.card",
}

#: Returns the line typed in answer to a question. Raises EOFError at the end of input.
Ask = Callable[[str], str]


class LeftError(Exception):
    """The person leaves the match."""


class Sitting:
    """A match in progress: the person in seat YOU, bots in the others; `seed` None for random deals."""

    def __init__(
        self, rules: RuleSet, bot: str, seed: int | None, style: Style, console: Console, ask: Ask
    ) -> None:
        self.match: Match = new_match(rules)
        self.events: list[Event] = []
        self._bot = BOTS[bot]
        # Two streams, so that deals do not depend on how many numbers the bots draw.
        self._cards = Random(seed)
        self._luck = Random(self._cards.getrandbits(64))
        self.style = style
        self._console = console
        self._ask = ask
        self._players = (style.say("sitting.you"), *_OTHERS)
        self._retelling = Retelling(self._players, YOU, style)
        ascii_only = not console.encoding.lower().startswith("utf")
        self._drawing = Drawing(self._players, YOU, style, ascii_only=ascii_only)
        self._offered: tuple[int, int] | None = None
        self._drawn = 0

    def play(self) -> None:
        """Play to the end. Raises LeftError; EOFError and KeyboardInterrupt pass through."""
        while waiting := pending(self.match):
            if not self._claimed(waiting[0]):
                self._decide(waiting[0])

    def say(self, lines: Iterable[str]) -> None:
        """Print lines of markup."""
        for line in lines:
            self._console.print(line, highlight=False, soft_wrap=True)

    def _decide(self, waiting: Pending) -> None:
        if waiting.seat is None:
            self._do(self._deal())
        elif waiting.seat == YOU:
            self._ask_for(waiting.kind)
        else:
            self._do(self._bot(view(self.match, waiting.seat), self._luck.getrandbits(32)))

    def _do(self, command: Command) -> None:
        """Apply a command that the rules allow, and narrate the result. Raises RuleViolation."""
        caused = decide(self.match, command)
        self.match = replay(self.match, caused)
        self.events += caused
        self.say(self._retelling.lines(project(event, YOU) for event in caused))

    def _deal(self) -> Command:
        deck = tuple(self._cards.sample(range(DECK_SIZE), DECK_SIZE))
        drawn = self.match.deal == 0 and self.match.rules.first_forehand is FirstForehand.RANDOM
        return schieber.StartDeal(deck, self._cards.choice(SEATS) if drawn else None)

    def _ask_for(self, kind: PendingKind) -> None:
        """Ask until the person has given a legal command."""
        seen = view(self.match, YOU)
        if seen.legal is not None and seen.legal.can_declare_weis:
            kind = PendingKind.WEIS
        if kind is PendingKind.WEIS and seen.legal is not None and not seen.legal.weis:
            self._do(schieber.DeclareWeis(YOU))
            return
        self._show_table(seen)
        self._show_choices(kind, seen)
        while True:
            said = self._ask(self.style.say(_QUESTIONS[kind]))
            try:
                meant = understand(said, seen, kind, self.style)
                if meant is Wish.HAND:
                    self._show_choices(kind, seen)
                    continue
                if not isinstance(meant, Wish):
                    self._do(meant)
                elif not self._fulfil(meant, seen):
                    continue
            except NotUnderstoodError as unclear:
                self.say([f"  {escape(str(unclear))}"])
            except RuleViolation as refused:
                self.say([f"  {escape(sentence(reason_text(refused.reason, self.style.language)))}"])
            else:
                return

    def _show_table(self, seen: View) -> None:
        """Show the table and the Weis not narrated yet, unless only the person's own declaration is new."""
        since, self._drawn = self.events[self._drawn :], len(self.events)
        if since and all(isinstance(event, schieber.WeisDeclared) and event.seat == YOU for event in since):
            return
        self.say(self._drawing.table(seen, self._retelling.untold_weis()))
        self._retelling.weis_seen()

    def _show_choices(self, kind: PendingKind, seen: View) -> None:
        self.say(self._drawing.hand(seen))
        if isinstance(seen, SchieberView):
            if kind is PendingKind.CONTRACT:
                self.say(self._drawing.contracts(seen))
            elif kind is PendingKind.WEIS:
                self.say(self._drawing.declarations(seen))

    def _fulfil(self, wish: Wish, seen: View) -> bool:
        """Handle a request; return whether a claim was made, which answers any question."""
        match wish:
            case Wish.CLAIM:
                return self._claim()
            case Wish.QUIT:
                if self._agrees(self.style.say("sitting.leave")):
                    raise LeftError
            case _:
                self.say(self._shown(wish, seen))
        return False

    def _shown(self, wish: Wish, seen: View) -> Iterable[str]:
        rules = self.match.rules
        shown: dict[Wish, Callable[[], Iterable[str]]] = {
            Wish.HELP: lambda: usage(rules, self.style),
            Wish.RULES: lambda: rules_in_words(rules, self.style),
            Wish.HAND: lambda: self._drawing.hand(seen),
            Wish.TABLE: lambda: self._drawing.table(seen),
            Wish.SCORE: lambda: self._drawing.score(seen),
            Wish.LAST: lambda: self._drawing.last_trick(seen),
        }
        return shown[wish]()

    def _claim(self) -> bool:
        """Claim, after a confirmation if the rules allow it at all. Raises RuleViolation."""
        if YOU in claimants(self.match) and not self._agrees(self.style.say("sitting.enough")):
            return False
        self._do(schieber.Claim(YOU))
        return True

    def _claimed(self, waiting: Pending) -> bool:
        """Offer a claim to those who may make one.

        If the person does not lead next, they are asked before the lead if their side might have enough;
        if they do lead, they may claim instead of playing.
        """
        able = claimants(self.match)
        if YOU in able and waiting.seat != YOU and self._offers_a_claim(waiting.seat):
            return True
        for seat in able:
            seen = view(self.match, seat)
            if seat != YOU and isinstance(seen, SchieberView) and has_certainly_reached(seen, seat):
                self._do(schieber.Claim(seat))
                return True
        return False

    def _offers_a_claim(self, leader: int | None) -> bool:
        """Ask once, before another seat leads; return whether the person claimed."""
        seen = view(self.match, YOU)
        moment = (self.match.deal, len(self.match.tricks))
        if self._offered == moment or not isinstance(seen, SchieberView) or not _might_have_enough(seen):
            return False
        self._offered = moment
        claim = self.style.say("commands.claim")
        question = self.style.say("sitting.leads_next", player=self._players[leader or 0], claim=claim)
        while said := self._ask(question).strip():
            try:
                if self._fulfil(understand_wish(said, self.style), seen):
                    return True
            except NotUnderstoodError as unclear:
                self.say([f"  {escape(str(unclear))}"])
        return False

    def _agrees(self, question: str) -> bool:
        """Ask until the answer is clear: unclear input must neither claim, leave, nor decline."""
        while True:
            try:
                said = self._ask(self.style.say("sitting.yes_or_no", question=question))
                return understand_yes_or_no(said, self.style)
            except NotUnderstoodError as unclear:
                self.say([f"  {escape(str(unclear))}"])


def _might_have_enough(seen: SchieberView) -> bool:
    """Return whether the side could have reached the target if it had made every point of the deal so far.

    Reveals nothing hidden: neither cards in other hands nor points that the table does not show.
    """
    side = side_of(YOU)
    weis = sum(shown.points for shown in seen.weis_shown if side_of(shown.seat) == side)
    most = DEAL_POINTS + weis + STOECK_POINTS
    return seen.totals[side] + seen.multiplier * most >= seen.rules.target
