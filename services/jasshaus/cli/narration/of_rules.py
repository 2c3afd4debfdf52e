"""Narrates the rules' events, of either game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, assert_never

from jasshaus.cli.narration.sentences import Telling
from jasshaus.cli.words import Style
from jasshaus.rules import differenzler, schieber
from jasshaus.rules.core.cards import SEATS, cards_in, side_of
from jasshaus.rules.core.weis import ShownWeis, WeisKind, WeisNotice
from jasshaus.rules.registry import Event

_HOW: Final = {
    schieber.EndedBy.DEAL: "win",
    schieber.EndedBy.CLAIM: "win_claim",
    schieber.EndedBy.FALSE_CLAIM: "win_false_claim",
    schieber.EndedBy.AUTOMATIC: "win_trick",
    schieber.EndedBy.STOECK: "win_stoeck",
    schieber.EndedBy.WEIS: "win_weis",
    schieber.EndedBy.STICH: "win_trick",
}


class Retelling:
    """Narrates the events of a match in order; `you` is the reader's seat, or None."""

    def __init__(self, players: Sequence[str], you: int | None = None, style: Style | None = None) -> None:
        self._style = style or Style()
        self._telling = Telling(players, you, self._style)
        self._multiplier = 1

    def lines(self, events: Iterable[Event], mark: str = "") -> Iterator[str]:
        """Return lines in rich's markup; `mark` follows the name of the player of a card."""
        for event in events:
            yield from self._of(event, mark)

    def resume(self, multiplier: int) -> None:
        """Continue in the middle of a deal whose contract was chosen before."""
        self._multiplier = multiplier

    def broken_off(self) -> Iterator[str]:
        """Return the cards of an incomplete trick, if any."""
        yield from self._telling.broken_off()

    def untold_weis(self) -> frozenset[int]:
        """Return the seats whose declaration has not been narrated yet."""
        return self._telling.untold_weis()

    def weis_seen(self) -> None:
        """Mark the declarations so far as narrated: the reader has seen them on the table."""
        self._telling.weis_seen()

    def _of(self, event: Event, mark: str) -> Iterator[str]:  # noqa: C901, PLR0912 - one case an event
        tell = self._telling
        match event:
            case schieber.DealStarted():
                yield from tell.begin(event.deal, event.dealer, event.forehand)
                if event.trump_card is not None:
                    yield from tell.trumps_turned_up(event.trump_card)
            case schieber.Pushed(seat):
                tell.pushed(seat)
            case schieber.ContractChosen(seat, contract, multiplier):
                self._multiplier = multiplier
                yield from tell.contract_chosen(seat, contract, multiplier)
            case differenzler.Announced(seat, points):
                if points is not None:
                    tell.announced(seat, points)
            case schieber.WeisDeclared(seat, notices):
                tell.declared(seat, [self._declared(notice) for notice in notices])
            case schieber.CardPlayed(seat, card):
                yield from tell.card_played(seat, card, mark)
            case schieber.TrickWon(seat, number):
                yield from tell.trick_won(seat, number)
            case schieber.WeisScored(side, points, shown):
                said = [(each.seat, self._shown(each)) for each in shown]
                yield from tell.weis_scored(side, points, self._multiplier, said)
            case schieber.StoeckScored(seat, points):
                yield from tell.stoeck_scored(seat, points * self._multiplier)
            case schieber.Claimed(seat):
                yield from tell.claimed(seat)
            case schieber.DealScored():
                yield from self._deal_scored(event)
            case differenzler.PenaltiesScored():
                yield from tell.penalties_scored(event.announced, event.made, event.penalties, event.totals)
            case schieber.MatchEnded(winner, by, totals, schneider):
                winners = [seat for seat in SEATS if side_of(seat) == winner]
                yield from tell.ended(tell.victory(winners, _HOW[by], totals, schneider=schneider))
            case differenzler.RoundsEnded(winner, totals):
                yield from tell.ended(tell.victory([winner], "win", totals))
            case _:
                assert_never(event)

    def _deal_scored(self, event: schieber.DealScored) -> Iterator[str]:
        extras = {
            name: [event.multiplier * part for part in points]
            for name, points in (
                ("weis", event.weis),
                ("stoeck", event.stoeck),
                ("match", event.match_bonus),
            )
        }
        yield from self._telling.deal_scored(
            event.card_points, event.multiplier, extras, event.score, event.totals
        )

    def _declared(self, notice: WeisNotice) -> str:
        return self._style.weis(notice.length, notice.points, quartet=notice.kind is WeisKind.QUARTET)

    def _shown(self, shown: ShownWeis) -> str:
        weis = shown.weis
        quartet = weis.kind is WeisKind.QUARTET
        return self._style.weis(weis.length, shown.points, cards_in(weis.cards), quartet=quartet)
