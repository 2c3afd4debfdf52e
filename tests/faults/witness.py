"""Owns what one stream of a table promises its reader: versions go forward, and the events give the view."""

from __future__ import annotations

from dataclasses import dataclass, field

from faults.findings import Findings
from jasshaus.api.table.v1.table_pb2 import TableEvent, TableStatus, TableView, WatchTableResponse
from jasshaus.client import Update

FINAL = (TableStatus.TABLE_STATUS_FINISHED, TableStatus.TABLE_STATUS_VOIDED)


@dataclass
class Model:
    """What a reader knows who applies events, of the parts that matter most: hand, cards, totals, status."""

    seat: int
    hand: set[int]
    played: list[int]
    totals: list[int]
    status: TableStatus.ValueType
    away: list[bool] = field(default_factory=list)

    @classmethod
    def of(cls, view: TableView) -> Model:
        return cls(
            seat=view.viewer_seat,
            hand=set(view.hand),
            played=[card for trick in (*view.tricks, view.trick) for card in trick.cards],
            totals=list(view.schieber.totals),
            status=view.status,
            away=[seat.away for seat in view.seats],
        )

    def apply(self, event: TableEvent) -> None:
        match event.WhichOneof("event"):
            case "deal_started":
                self.hand, self.played = set(event.deal_started.hand), []
            case "card_played":
                self.played.append(event.card_played.card)
                if event.card_played.seat == self.seat:
                    self.hand.discard(event.card_played.card)
            case "deal_scored":
                self.totals = list(event.deal_scored.totals)
            case "match_ended":
                self.status = TableStatus.TABLE_STATUS_SETTLING
            case "table_closed":
                self.status = event.table_closed.status
            case "presence_changed":
                self.away[event.presence_changed.seat] = event.presence_changed.away
            case _:
                pass


class Witness:
    """Sees every update of one followed table."""

    def __init__(self, who: str, findings: Findings) -> None:
        self._who = who
        self._findings = findings
        self.model: Model | None = None
        self.version = 0

    def see(self, update: Update) -> None:
        if isinstance(update, WatchTableResponse.Replaced):
            return
        if isinstance(update, WatchTableResponse.Snapshot):
            self._snapshot(update)
        else:
            self._delta(update)
        self.version = update.view.version
        self._look_at(update.view)

    def _snapshot(self, update: WatchTableResponse.Snapshot) -> None:
        self._findings.count("resets" if update.reset else "snapshots")
        if update.view.version < self.version and not update.reset:
            self._blame(f"version {self.version} -> {update.view.version} without reset")
        if update.reset and not self._findings.lossy:
            self._blame(f"reset at version {update.view.version}, though nothing was lost")
        self.model = Model.of(update.view)

    def _delta(self, update: WatchTableResponse.Delta) -> None:
        self._findings.count("deltas")
        if self.model is None:
            self._blame("a delta before any snapshot")
            self.model = Model.of(update.view)
            return
        at = self.version
        for event in update.events:
            if not at <= event.version <= update.view.version or event.version == self.version:
                self._blame(
                    f"an event of version {event.version} at {at} on the way to {update.view.version}"
                )
            at = event.version
            self.model.apply(event)
        seen = Model.of(update.view)
        if update.view.schieber.totals != self.model.totals and not update.view.HasField("outcome"):
            self._blame(f"totals {self.model.totals}, the view has {list(update.view.schieber.totals)}")
        seen.totals = self.model.totals
        if self.model != seen:
            self._blame(
                f"events {self.version} -> {update.view.version} give {self.model}, the view is {seen}"
            )
            self.model = seen

    def _look_at(self, view: TableView) -> None:
        if view.hand and set(view.hand) & {card for trick in view.tricks for card in trick.cards}:
            self._blame("a played card is still in the hand")
        if view.status in FINAL and view.legal_actions.cards:
            self._blame("legal cards at a closed table")

    def _blame(self, text: str) -> None:
        self._findings.blame(f"stream of {self._who}: {text}")
