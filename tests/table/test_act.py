"""Acting at a table over real sockets: the rules' refusals, repeats, races."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import grpc
import pytest

from jasshaus.api.common.v1 import card_pb2
from jasshaus.api.table.v1 import table_pb2
from jasshaus.platform.auth import Role
from jasshaus.platform.errors import Fault
from table.harness import PLAYERS, Harness, Replica, any_action, deciding, new_table, play_until, step


def play(card: int) -> table_pb2.Action:
    return table_pb2.Action(play_card=table_pb2.Action.PlayCard(card=card))


def push() -> table_pb2.Action:
    return table_pb2.Action(push=table_pb2.Action.Push())


async def to_first_card(replica: Replica, table_id: str) -> table_pb2.TableView:
    return await play_until(replica, table_id, lambda view: view.phase == table_pb2.PHASE_TRICKS)


async def test_a_new_table_waits_for_forehand(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)

    view = await replica.service.get(table_id)

    assert view.version == 1
    assert view.phase == table_pb2.PHASE_CONTRACT
    assert deciding(view) == [view.forehand]
    assert not view.hand
    assert [seat.hand_size for seat in view.seats] == [9, 9, 9, 9]


async def test_a_player_sees_his_hand_and_what_he_may_do(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    spectator = await replica.service.get(table_id)

    forehand = await replica.as_(spectator.seats[spectator.forehand].player_id).get(table_id)

    assert len(forehand.hand) == 9
    assert forehand.viewer_seat == spectator.forehand
    assert forehand.legal_actions.push
    assert len(forehand.legal_actions.contracts) == 6
    assert forehand.legal_actions.leave


async def test_a_table_says_its_rules_in_a_players_words(harness: Harness, replica: Replica) -> None:
    table_id, anna = await harness.table(replica), replica.as_("anna")
    request = table_pb2.GetTableRequest(table_id=table_id, language_code="de-CH", deck=card_pb2.DECK_GERMAN)

    said = (await anna.stub.GetTable(request, metadata=anna.metadata)).rules_in_words

    assert any("Schellen" in sentence and "Laub" in sentence for sentence in said)
    request.language_code = "xx"
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await anna.stub.GetTable(request, metadata=anna.metadata)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_an_action_leads_to_the_next_version(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    view = await replica.service.get(table_id)
    forehand = replica.as_(view.seats[view.forehand].player_id)

    response = await forehand.act(table_id, push(), version=1)

    assert response.version == response.view.version == 2
    assert response.view.pushed


async def test_the_same_request_twice_is_one_action(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    view = await replica.service.get(table_id)
    forehand, request_id = replica.as_(view.seats[view.forehand].player_id), str(uuid4())

    first = await forehand.act(table_id, push(), request_id=request_id, version=1)
    await step(replica, table_id)
    again = await forehand.act(table_id, push(), request_id=request_id, version=1)

    assert first.version == again.version == 2
    assert again.view.version == 3


async def test_two_replicas_given_the_same_request_do_it_once(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    view = await replica.service.get(table_id)
    name, request_id = view.seats[view.forehand].player_id, str(uuid4())
    async with harness.replica() as other:
        answers = await asyncio.gather(
            *(each.as_(name).act(table_id, push(), request_id=request_id) for each in (replica, other) * 3)
        )
    assert {answer.version for answer in answers} == {2}


async def test_a_request_id_is_not_used_for_another_action(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    view = await replica.service.get(table_id)
    forehand, request_id = replica.as_(view.seats[view.forehand].player_id), str(uuid4())
    await forehand.act(table_id, push(), request_id=request_id)

    with pytest.raises(Fault) as refused:
        await forehand.act(table_id, play(1), request_id=request_id)

    assert refused.value.reason == "REQUEST_ID_REUSED"
    assert refused.value.code is grpc.StatusCode.FAILED_PRECONDITION
    assert (await replica.service.get(table_id)).version == 2


async def test_a_refused_request_id_may_be_used_again(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    view = await replica.service.get(table_id)
    forehand, request_id = replica.as_(view.seats[view.forehand].player_id), str(uuid4())
    with pytest.raises(Fault):
        await forehand.act(table_id, play(1), request_id=request_id)

    assert (await forehand.act(table_id, push(), request_id=request_id)).version == 2


async def test_a_stale_version_is_told_with_the_view(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    view = await replica.service.get(table_id)
    forehand = replica.as_(view.seats[view.forehand].player_id)
    await forehand.act(table_id, push())

    with pytest.raises(Fault) as refused:
        await forehand.act(table_id, push(), version=1)

    assert refused.value.code is grpc.StatusCode.ABORTED
    assert refused.value.reason == "STALE_VERSION"
    now = refused.value.detail(table_pb2.TableView)
    assert now is not None
    assert now.version == 2
    assert now.viewer_seat == view.forehand
    assert len(now.hand) == 9


async def test_somebody_elses_turn(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    view = await replica.service.get(table_id)
    other = replica.as_(view.seats[(view.forehand + 1) % 4].player_id)

    with pytest.raises(Fault) as refused:
        await other.act(table_id, push())

    assert refused.value.reason == "NOT_YOUR_TURN"


async def test_a_card_that_is_not_in_hand(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    view = await to_first_card(replica, table_id)
    player = replica.as_(view.seats[deciding(view)[0]].player_id)
    hand = (await player.get(table_id)).hand
    missing = next(card for card in card_pb2.Card.values() if card and card not in hand)

    with pytest.raises(Fault) as refused:
        await player.act(table_id, play(missing))

    assert refused.value.reason == "CARD_NOT_IN_HAND"
    assert (await replica.service.get(table_id)).version == view.version


async def test_every_card_is_legal_or_has_its_reason(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    await to_first_card(replica, table_id)
    for _ in range(16):
        view = await replica.service.get(table_id)
        player = replica.as_(view.seats[deciding(view)[0]].player_id)
        mine = await player.get(table_id)
        legal = mine.legal_actions
        assert sorted([*legal.cards, *(each.card for each in legal.illegal_cards)]) == sorted(mine.hand)
        for illegal in legal.illegal_cards:
            with pytest.raises(Fault) as refused:
                await player.act(table_id, play(illegal.card))
            assert table_pb2.IllegalCard(card=illegal.card, reason=illegal.reason) == illegal
            assert f"ERROR_REASON_{refused.value.reason}" == error_name(illegal.reason)
        await step(replica, table_id)


def error_name(reason: int) -> str:
    from jasshaus.api.common.v1 import reasons_pb2  # noqa: PLC0415 - only here

    return reasons_pb2.ErrorReason.Name(reason)  # type: ignore[arg-type]


async def test_two_cards_at_one_version_through_two_replicas(harness: Harness, replica: Replica) -> None:
    async with harness.replica() as other:
        table_id = await harness.table(replica)
        view = await to_first_card(replica, table_id)
        name = view.seats[deciding(view)[0]].player_id
        await other.as_(name).get(table_id)
        first, second = (await replica.as_(name).get(table_id)).legal_actions.cards[:2]

        answers = await asyncio.gather(
            replica.as_(name).act(table_id, play(first), version=view.version),
            other.as_(name).act(table_id, play(second), version=view.version),
            return_exceptions=True,
        )

    done = [answer for answer in answers if isinstance(answer, table_pb2.ActResponse)]
    refused = [answer for answer in answers if isinstance(answer, Fault)]
    assert len(done) == len(refused) == 1
    assert refused[0].reason == "STALE_VERSION"
    now = refused[0].detail(table_pb2.TableView)
    assert now is not None
    assert list(now.trick.cards) == list(done[0].view.trick.cards)


async def test_without_an_expected_version_the_later_card_is_judged_anew(
    harness: Harness, replica: Replica
) -> None:
    async with harness.replica() as other:
        table_id = await harness.table(replica)
        view = await to_first_card(replica, table_id)
        name = view.seats[deciding(view)[0]].player_id
        first, second = (await replica.as_(name).get(table_id)).legal_actions.cards[:2]
        await other.as_(name).get(table_id)
        await replica.as_(name).act(table_id, play(first))

        with pytest.raises(Fault) as refused:
            await other.as_(name).act(table_id, play(second))

    assert refused.value.reason == "NOT_YOUR_TURN"


async def test_four_declarations_at_once_all_count(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    await play_until(replica, table_id, lambda view: view.phase == table_pb2.PHASE_WEIS)
    nothing = table_pb2.Action(declare_weis=table_pb2.Action.DeclareWeis())

    async with harness.replica() as other:
        names = [seat.player_id for seat in (await replica.service.get(table_id)).seats]
        await asyncio.gather(
            *(
                each.as_(name).act(table_id, nothing)
                for each, name in zip((replica, other) * 2, names, strict=True)
            )
        )

    view = await replica.service.get(table_id)
    assert view.phase == table_pb2.PHASE_TRICKS
    assert sorted(declared.seat for declared in view.weis) == [0, 1, 2, 3]


async def test_a_caller_that_hangs_up_leaves_the_table_whole(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    for made in range(60):
        spectator = await replica.service.get(table_id)
        player = replica.as_(PLAYERS[deciding(spectator)[0]])
        action, request_id = any_action(await player.get(table_id)), str(uuid4())
        assert action is not None
        call = asyncio.create_task(player.act(table_id, action, request_id=request_id))
        await asyncio.sleep(made * 0.0001)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        # Whatever became of it: the same request again is the same action, once.
        await player.act(table_id, action, request_id=request_id)
        assert (await player.get(table_id)).version == 2 + made


async def test_who_leaves_and_hangs_up_has_left_once(harness: Harness, replica: Replica) -> None:
    table_id, anna = await harness.table(replica), replica.as_("anna")
    leave = table_pb2.Action(leave=table_pb2.Action.Leave())
    back = table_pb2.Action(come_back=table_pb2.Action.ComeBack())
    for made in range(10):
        request_id = str(uuid4())
        action = leave if made % 2 == 0 else back
        call = asyncio.create_task(anna.act(table_id, action, request_id=request_id))
        await asyncio.sleep(made * 0.0005)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        answer = await anna.act(table_id, action, request_id=request_id)
        assert answer.view.seats[0].away == (made % 2 == 0)
        assert answer.version == 1


async def test_strangers_and_other_tenants_find_no_table(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    for stranger in (replica.as_("eva"), replica.as_("anna", tenant="other")):
        for call in (stranger.get(table_id), stranger.act(table_id, push())):
            with pytest.raises(Fault) as refused:
                await call
            assert (refused.value.code, refused.value.reason) == (
                grpc.StatusCode.NOT_FOUND,
                "TABLE_NOT_FOUND",
            )
        with pytest.raises(Fault) as refused:
            await stranger.watch(table_id).next()
        assert refused.value.reason == "TABLE_NOT_FOUND"


async def test_an_unknown_table_is_not_found(replica: Replica) -> None:
    for call in (replica.as_("anna").get(str(uuid4())), replica.as_("anna").act(str(uuid4()), push())):
        with pytest.raises(Fault) as refused:
            await call
        assert refused.value.reason == "TABLE_NOT_FOUND"


@pytest.mark.parametrize(
    ("action", "field"),
    [
        (table_pb2.Action(), "action"),
        (play(0), "action.play_card.card"),
        (play(37), "action.play_card.card"),
        (
            table_pb2.Action(choose_contract=table_pb2.Action.ChooseContract()),
            "action.choose_contract.contract",
        ),
        (
            table_pb2.Action(announce_points=table_pb2.Action.AnnouncePoints(points=158)),
            "action.announce_points.points",
        ),
        (
            table_pb2.Action(
                declare_weis=table_pb2.Action.DeclareWeis(
                    weis=[table_pb2.Action.Combination(cards=[1, 1, 2])]
                )
            ),
            "action.declare_weis.weis[0].cards",
        ),
        (
            table_pb2.Action(
                declare_weis=table_pb2.Action.DeclareWeis(
                    weis=[
                        table_pb2.Action.Combination(cards=[1, 2, 3]),
                        table_pb2.Action.Combination(cards=[4, 37]),
                    ]
                )
            ),
            "action.declare_weis.weis[1].cards[1]",
        ),
    ],
)
async def test_malformed_actions_name_the_field(
    harness: Harness, replica: Replica, action: table_pb2.Action, field: str
) -> None:
    table_id = await harness.table(replica)
    with pytest.raises(Fault) as refused:
        await replica.as_("anna").act(table_id, action)
    assert refused.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert [violation[0] for violation in refused.value.violations] == [field]


async def test_malformed_ids_name_the_field(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    for wrong in (table_id + "0", "x", ""):
        with pytest.raises(Fault) as refused:
            await replica.as_("anna").get(wrong)
        assert refused.value.violations[0][0] == "table_id"
    with pytest.raises(Fault) as refused:
        await replica.as_("anna").act(table_id, push(), request_id="mine")
    assert refused.value.violations[0][0] == "request_id"


async def test_ids_are_accepted_in_either_case(harness: Harness, replica: Replica) -> None:
    table_id, request_id = await harness.table(replica), str(uuid4())
    view = await replica.service.get(table_id)
    forehand = replica.as_(view.seats[view.forehand].player_id)
    assert (await forehand.get(table_id.upper())).table_id == table_id
    done = await forehand.act(table_id.upper(), push(), request_id=request_id.upper())
    again = await forehand.act(table_id, push(), request_id=request_id)
    assert again.version == done.version


async def test_points_are_not_announced_in_a_schieber(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    announce = table_pb2.Action(announce_points=table_pb2.Action.AnnouncePoints(points=50))
    with pytest.raises(Fault) as refused:
        await replica.as_("anna").act(table_id, announce)
    assert refused.value.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.value.reason == "ACTION_NOT_PLAYED"


async def test_three_cards_that_are_no_weis(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    await play_until(replica, table_id, lambda view: view.phase == table_pb2.PHASE_WEIS)
    wrong = table_pb2.Action(
        declare_weis=table_pb2.Action.DeclareWeis(weis=[table_pb2.Action.Combination(cards=[1, 3, 12])])
    )
    with pytest.raises(Fault) as refused:
        await replica.as_("anna").act(table_id, wrong)
    assert refused.value.reason == "WEIS_NOT_A_COMBINATION"


async def test_players_may_not_create_or_abort(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    for call in (replica.as_("anna").create(new_table()), replica.as_("anna").abort(table_id)):
        with pytest.raises(Fault) as refused:
            await call
        assert refused.value.code is grpc.StatusCode.PERMISSION_DENIED


async def test_an_operator_sees_what_a_spectator_sees(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    view = await replica.as_("olga", Role.OPERATOR).get(table_id)
    assert not view.hand
    assert not view.HasField("viewer_seat")
    assert not view.HasField("legal_actions")


async def test_a_claim_that_is_short_loses_the_match(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica, target=10_000)
    view = await play_until(
        replica, table_id, lambda view: len(view.tricks) == 1 and not view.HasField("trick")
    )
    winner = view.tricks[0].winner
    claim = table_pb2.Action(claim=table_pb2.Action.Claim())
    partner, other = (winner + 2) % 4, (winner + 1) % 4
    mine = await replica.as_(view.seats[partner].player_id).get(table_id)
    theirs = await replica.as_(view.seats[other].player_id).get(table_id)
    assert mine.legal_actions.claim
    assert not theirs.legal_actions.claim

    answers = await asyncio.gather(
        *(replica.as_(view.seats[seat].player_id).act(table_id, claim) for seat in (winner, partner)),
        return_exceptions=True,
    )

    assert sum(isinstance(answer, Fault) for answer in answers) == 1
    outcome = (await replica.service.get(table_id)).outcome
    assert outcome.decision == table_pb2.DECISION_FALSE_CLAIM
    assert winner not in outcome.winning_seats


async def test_nothing_is_played_after_the_end(harness: Harness, replica: Replica) -> None:
    table_id = await harness.table(replica)
    await replica.service.abort(table_id)
    for action in (push(), table_pb2.Action(leave=table_pb2.Action.Leave())):
        with pytest.raises(Fault) as refused:
            await replica.as_("anna").act(table_id, action)
        assert refused.value.reason == "TABLE_ENDED"
