"""Checks one stream of a table: each version once, and events that lead to the view."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter

from faults.chronicle import Chronicle
from faults.findings import Findings
from jasshaus.api.common.v1.rules_pb2 import Announcements, RuleSet
from jasshaus.api.table.v1.table_pb2 import Phase, TableEvent, TableStatus, TableView, WatchTableResponse
from jasshaus.client import Update

FINAL = (TableStatus.TABLE_STATUS_FINISHED, TableStatus.TABLE_STATUS_VOIDED)
POINTS = 157
TRICKS = 9


@dataclass
class Model:
    """What a reader knows who applies events, of the parts that matter most.

    `announced`: by seat that has, the points; None where they are hidden from the reader.
    """

    seat: int
    hand: set[int]
    played: list[int]
    totals: list[int]
    status: TableStatus.ValueType
    away: list[bool] = field(default_factory=list)
    trump_card: int = 0
    announced: dict[int, int | None] = field(default_factory=dict)

    @classmethod
    def of(cls, view: TableView) -> Model:
        return cls(
            seat=view.viewer_seat,
            hand=set(view.hand),
            played=[card for trick in (*view.tricks, view.trick) for card in trick.cards],
            totals=totals(view),
            status=view.status,
            away=[seat.away for seat in view.seats],
            trump_card=view.trump_card,
            announced=announced(view),
        )

    def apply(self, event: TableEvent) -> None:
        match event.WhichOneof("event"):
            case "deal_started":
                self.hand, self.played = set(), []
                self.trump_card, self.announced = event.deal_started.trump_card, {}
            case "points_announced":
                said = event.points_announced
                self.announced[said.seat] = said.points if said.HasField("points") else None
            case "hand_dealt":
                self.hand = set(event.hand_dealt.hand)
            case "own_announcement":
                self.announced[self.seat] = event.own_announcement.points
            case "card_played":
                self.played.append(event.card_played.card)
                if event.card_played.seat == self.seat:
                    self.hand.discard(event.card_played.card)
            case "deal_scored":
                self.totals = list(event.deal_scored.totals)
                self.announced = dict(enumerate(event.deal_scored.announced))
            case "match_ended":
                self.status = TableStatus.TABLE_STATUS_SETTLING
            case "table_closed":
                self.status = event.table_closed.status
            case _:
                pass


def announced(view: TableView) -> dict[int, int | None]:
    """What the viewer may know of the announcements: what all may, and its own."""
    said = {
        each.seat: each.points if each.HasField("points") else None
        for each in view.differenzler.announcements
    }
    if view.HasField("own_announcement"):
        said[view.viewer_seat] = view.own_announcement
    return said


def totals(view: TableView) -> list[int]:
    """The points of either game."""
    return list(view.differenzler.totals if view.HasField("differenzler") else view.schieber.totals)


class Witness:
    """Sees every update of one followed table; witnesses with one chronicle compare what they were told."""

    def __init__(self, who: str, findings: Findings, chronicle: Chronicle | None = None) -> None:
        self._who = who
        self._findings = findings
        self._chronicle = chronicle or Chronicle()
        self.model: Model | None = None
        self.version = 0
        self.revision = 0

    def see(self, update: Update) -> None:
        if isinstance(update, WatchTableResponse.Replaced):
            return
        if isinstance(update, WatchTableResponse.Snapshot):
            self._snapshot(update)
        else:
            self._delta(update)
        self.version, self.revision = update.view.version, update.view.revision
        self.look_at(update.view)

    def look_at(self, view: TableView) -> None:
        """A view of this seat, or of an onlooker, of whatever version, from a stream or from an answer."""
        own = (
            view.hand or view.HasField("legal_actions") or view.own_weis or view.HasField("own_announcement")
        )
        if not view.HasField("viewer_seat") and own:
            self._blame(f"version {view.version}: an onlooker is shown a hand")
        if view.hand and set(view.hand) & {card for trick in view.tricks for card in trick.cards}:
            self._blame("a played card is still in the hand")
        if view.status in FINAL and view.legal_actions.cards:
            self._blame("legal cards at a closed table")
        if view.HasField("differenzler"):
            self._look_at_announcements(view)

    def _look_at_announcements(self, view: TableView) -> None:
        said = Model.of(view).announced
        viewer = view.viewer_seat if view.HasField("viewer_seat") else None
        for seat, points in said.items():
            if not _told_rightly(view.rule_set, viewer, seat, points, scored=_is_scored(view)):
                self._blame(f"version {view.version}: {points} announced by {seat}, shown to {viewer}")
        asked = {seat.seat for seat in view.seats if seat.deciding}
        if view.phase == Phase.PHASE_ANNOUNCE and asked & said.keys():
            self._blame(f"version {view.version}: who has announced is asked again: {sorted(asked)}")

    def _snapshot(self, update: WatchTableResponse.Snapshot) -> None:
        self._findings.count("resets" if update.reset else "snapshots")
        if update.view.version < self.version and not update.reset:
            self._blame(f"version {self.version} -> {update.view.version} without reset")
        if update.view.revision < self.revision and not update.reset:
            self._blame(f"revision {self.revision} -> {update.view.revision} without reset")
        if update.reset and not self._findings.lossy:
            self._blame(f"reset at version {update.view.version}, though nothing was lost")
        self.model = Model.of(update.view)

    def _delta(self, update: WatchTableResponse.Delta) -> None:
        self._findings.count("deltas")
        view = update.view
        if self.model is None:
            self._blame("a delta before any snapshot")
            self.model = Model.of(view)
            return
        if view.revision < self.revision:
            self._blame(f"revision {self.revision} -> {view.revision} in a delta")
        # Presence is no part of the history: it is told where the table stands, and to who watches then.
        history = [event for event in update.events if not event.HasField("presence_changed")]
        versions = [version for version, _ in groupby(history, attrgetter("version"))]
        if versions != list(range(self.version + 1, view.version + 1)):
            self._blame(f"events of versions {versions} on the way from {self.version} to {view.version}")
        if [each.version for each in update.events] != sorted(each.version for each in update.events):
            self._blame(f"events out of order at version {view.version}")
        for version, events in groupby(history, attrgetter("version")):
            told = list(events)
            # A table that goes back may take another way.
            if not self._findings.lossy and not self._chronicle.agrees(view.table_id, version, told):
                self._blame(f"version {version} is not what others were told: {told}")
            for event in told:
                self._hear(event, view.rule_set)
        seen = Model.of(view)
        self._hear_presence(update, seen)
        if seen.totals != self.model.totals and not view.HasField("outcome"):
            self._blame(f"totals {self.model.totals}, the view has {seen.totals}")
        if not view.HasField("differenzler"):
            # What a claim ended was not scored.
            seen.totals = self.model.totals
        if self.model != seen:
            self._blame(f"events {self.version} -> {view.version} give {self.model}, the view is {seen}")
            self.model = seen

    def _hear_presence(self, update: WatchTableResponse.Delta, seen: Model) -> None:
        assert self.model is not None
        for event in update.events:
            if event.HasField("presence_changed"):
                self._findings.count("presence heard")
                said = event.presence_changed
                if said.away != seen.away[said.seat] or event.version != update.view.version:
                    self._blame(f"version {update.view.version}: {said} is not what the view shows")
        # Who takes up the thread is not told of absences, but shown them.
        self.model.away = seen.away

    def _hear(self, event: TableEvent, rules: RuleSet) -> None:
        assert self.model is not None
        if event.HasField("points_announced"):
            self._findings.count("announcements heard")
            said = event.points_announced
            points = said.points if said.HasField("points") else None
            if not _told_rightly(rules, None, said.seat, points, scored=False):
                self._blame(
                    f"version {event.version}: {points} announced by {said.seat}, told {self.model.seat}"
                )
        elif event.HasField("deal_scored") and event.deal_scored.announced:
            self._findings.count("rounds heard")
            for wrong in self._miscounted(event.deal_scored, rules):
                self._blame(f"version {event.version}: {wrong} in {event.deal_scored}")
        self.model.apply(event)

    def _miscounted(self, deal: TableEvent.DealScored, rules: RuleSet) -> list[str]:
        assert self.model is not None
        heard = {seat: points for seat, points in self.model.announced.items() if points is not None}
        wrong = []
        if len(self.model.announced) != len(deal.announced) or not heard.items() <= set(
            enumerate(deal.announced)
        ):
            wrong.append(f"other announcements than {self.model.announced}")
        if sum(deal.card_points) != POINTS:
            wrong.append("not all points, or more")
        due = [
            -rules.exact_bonus if said == made and said else abs(said - made)
            for said, made in zip(deal.announced, deal.card_points, strict=True)
        ]
        if list(deal.score) != due:
            wrong.append(f"other penalties than {due}")
        if list(deal.totals) != [sum(each) for each in zip(self.model.totals, due, strict=True)]:
            wrong.append(f"other totals than {self.model.totals} and {due}")
        return wrong

    def _blame(self, text: str) -> None:
        self._findings.blame(f"stream of {self._who}: {text}")


def _told_rightly(rules: RuleSet, viewer: int | None, seat: int, points: int | None, *, scored: bool) -> bool:
    """Return True if a viewer is told exactly what they may know of an announcement."""
    open_to_all = rules.announcements == Announcements.ANNOUNCEMENTS_OPEN or scored
    return (points is not None) == (open_to_all or viewer == seat)


def _is_scored(view: TableView) -> bool:
    """Whether the deal in the view is: the next one is dealt at once, so after the last one only."""
    return len(view.tricks) == TRICKS
