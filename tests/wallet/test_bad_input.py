"""Bad input: every RPC, every field. The right code and reason, the field named, and nothing changed."""

from __future__ import annotations

import grpc
import pytest

from contract.pots_bank import TABLE, Hold, amount, digest, new_id, refused
from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.wallet.v1 import wallet_pb2 as w
from jasshaus.platform.errors import Fault
from wallet.harness import token

ID = "3f0e7a3c-1f7a-4d7e-9a53-5a4d9a1d9a10"
BAD_IDS = ("", "x", "{" + ID + "}", ID.replace("-", ""), ID + "\n", "0" * 5000)
BAD_PLAYERS = ("", "a" * 129, "a b", "a\x00b", "tab\t", "zero\u200bwidth")
BAD_TENANTS = ("", "Default", "-a", "a_b", "a" * 64, "a\n")
BAD_CURRENCIES = ("", "chf", "CH", "CHF1CHF1X", "1CHF", "CHF\n", "CHÉ")
BAD_REFERENCES = (" r", "r ", "a  b", "r\u00a0", "a\u00a0b", "a\u200bb", "Zu\u0308rich")
BAD_AMOUNTS = (0, -1, 10**12 + 1, 2**63 - 1, -(2**63))


def cut(seats, length):
    del seats[length:]


SEATS = [w.MatchSeat(seat=s, player_id="anna", reservation_id=ID) for s in range(4)]
GOOD = {
    "Deposit": w.DepositRequest(request_id=ID, player_id="anna", amount=amount(5)),
    "OpenPot": w.OpenPotRequest(pot_id=ID, tenant="default", stake=amount(5)),
    "HoldStake": w.HoldStakeRequest(pot_id=ID, reservation_id=ID, seat=0, player_id="anna"),
    "ReleaseStake": w.ReleaseStakeRequest(pot_id=ID, reservation_id=ID),
    "LockPot": w.LockPotRequest(
        pot_id=ID,
        holds=[Hold(seat=s, player_id="anna", reservation_id=ID, amount=amount(5)) for s in range(4)],
    ),
    "SettlePot": w.SettlePotRequest(
        pot_id=ID, winning_seats=[0], result_digest=digest("result"), table_id=TABLE, seats=SEATS
    ),
    "RefundPot": w.RefundPotRequest(pot_id=ID, reason=w.REFUND_REASON_TABLE_LOST),
    "ReconcilePot": w.ReconcilePotRequest(
        pot_id=ID,
        table_id=TABLE,
        seats=SEATS,
        won=w.ReconcilePotRequest.Won(winning_seats=[0], result_digest=digest("result")),
    ),
    "CheckPots": w.CheckPotsRequest(
        ended=[
            w.CheckPotsRequest.Ended(
                pot_id=ID, table_id=TABLE, winning_seats=[0], result_digest=digest("result")
            )
        ]
    ),
    "ListPots": w.ListPotsRequest(),
    "CheckLedger": w.CheckLedgerRequest(
        seen=w.LedgerPosition(system_identifier="7-abc", timeline=1, flushed=1)
    ),
    "EndRecovery": w.EndRecoveryRequest(recovery_id=1),
    "ForceEndRecovery": w.ForceEndRecoveryRequest(request_id=ID, recovery_id=1, reason="lost"),
    "RecordAct": w.RecordActRequest(request_id=ID, kind=1, subject="olga", tenant="default", object=ID),
    "Withdraw": w.WithdrawRequest(request_id=ID, player_id="anna", amount=amount(5), reference="r"),
    "Correct": w.CorrectRequest(request_id=ID, player_id="anna", amount=amount(-5), reference="r"),
    "SetFeeSchedule": w.SetFeeScheduleRequest(request_id=ID, fee_bps=250),
    "ForceRefundPot": w.ForceRefundPotRequest(request_id=ID, pot_id=ID, reason="stuck"),
    "ForceSettlePot": w.ForceSettlePotRequest(request_id=ID, pot_id=ID, winning_seats=[0], reason="stuck"),
    "GetPot": w.GetPotRequest(pot_id=ID),
    "QuotePots": w.QuotePotsRequest(tenant="default", stakes=[amount(5)]),
    "GetBalance": w.GetBalanceRequest(player_id="anna"),
    "ListEntries": w.ListEntriesRequest(player_id="anna", currency_code="CHF"),
}


def bad_requests():
    def each(rpc, field, values, change):
        for value in values:
            request = type(GOOD[rpc]).FromString(GOOD[rpc].SerializeToString())
            change(request, value)
            yield pytest.param(rpc, request, field, id=f"{rpc} {field} {value!r:.40}")

    def scalar(rpc, field, values):
        return each(rpc, field, values, lambda request, value: setattr(request, field, value))

    def money(rpc, field):
        for part, values in (("currency_code", BAD_CURRENCIES), ("minor_units", BAD_AMOUNTS)):
            yield from each(
                rpc,
                f"{field}.{part}",
                values,
                lambda request, value, part=part: setattr(getattr(request, field), part, value),
            )

    for rpc in ("OpenPot", "HoldStake", "ReleaseStake", "LockPot", "SettlePot", "RefundPot", "GetPot"):
        yield from scalar(rpc, "pot_id", BAD_IDS)
    for rpc in ("ReconcilePot", "ForceRefundPot", "ForceSettlePot"):
        yield from scalar(rpc, "pot_id", BAD_IDS)
    for rpc in ("Withdraw", "Correct", "SetFeeSchedule", "ForceRefundPot", "ForceSettlePot"):
        yield from scalar(rpc, "request_id", BAD_IDS)
    for rpc in ("Withdraw", "Correct"):
        yield from scalar(rpc, "player_id", BAD_PLAYERS)
        yield from scalar(rpc, "reference", ("", "x" * 129, "a\nb", "\x00", *BAD_REFERENCES))
    for rpc in ("ForceEndRecovery", "RecordAct"):
        yield from scalar(rpc, "request_id", BAD_IDS)
    yield from scalar("ForceEndRecovery", "recovery_id", (-1,))
    yield from scalar("RecordAct", "object", BAD_IDS)
    yield from scalar("RecordAct", "kind", (0, 99))
    for rpc in ("ForceRefundPot", "ForceSettlePot", "ForceEndRecovery"):
        yield from scalar(rpc, "reason", ("", "x" * 257, "a\nb"))
    for rpc in ("LockPot", "RefundPot", "ReconcilePot"):
        yield from scalar(rpc, "table_id", BAD_IDS[1:])
    for rpc in ("ListPots", "SetFeeSchedule"):
        yield from scalar(rpc, "tenant", BAD_TENANTS[1:])
    yield from scalar("ListPots", "page_size", (-1, -(2**31)))
    yield from scalar("ListPots", "page_token", ("x", "AAAA", "é", "A" * 56, "A" * 5000))
    yield from scalar("SetFeeSchedule", "fee_bps", (-1, 10_001))
    yield from scalar("SetFeeSchedule", "fee_min", (-1, 10**12 + 1))
    yield from scalar("SetFeeSchedule", "fee_max", (-1, 10**12 + 1))
    yield from money("Withdraw", "amount")
    yield from scalar("EndRecovery", "recovery_id", (0, -1))
    yield from scalar("EndRecovery", "repaired", (-1,))
    yield from scalar("EndRecovery", "unmatched", (-1,))
    yield from each(
        "CheckLedger",
        "seen.system_identifier",
        ("", "a b", "x" * 65, "a\n"),
        lambda request, value: setattr(request.seen, "system_identifier", value),
    )
    yield from each(
        "CheckLedger",
        "seen.flushed",
        (2**63, 2**64 - 1),
        lambda request, value: setattr(request.seen, "flushed", value),
    )
    yield from each(
        "ReconcilePot",
        "won.result_digest",
        (b"", b"x" * 33),
        lambda request, value: setattr(request.won, "result_digest", value),
    )
    for name, values in (
        ("pot_id", BAD_IDS),
        ("table_id", BAD_IDS),
        ("result_digest", (b"", b"x" * 33)),
    ):
        yield from each(
            "CheckPots",
            f"ended[0].{name}",
            values,
            lambda request, value, name=name: setattr(request.ended[0], name, value),
        )
    yield from each(
        "CheckPots",
        "ended[0].winning_seats",
        ((4,), (2, 0), (0, 1, 2)),
        lambda request, value: request.ended[0].MergeFrom(w.CheckPotsRequest.Ended(winning_seats=value)),
    )
    for rpc in ("ReconcilePot", "SettlePot", "RefundPot"):
        yield from each(
            rpc,
            "seats",
            (1,),
            lambda request, value: request.seats.append(w.MatchSeat(seat=value, player_id="eva")),
        )
    yield from each("SettlePot", "seats", (0, 3), lambda request, value: cut(request.seats, value))
    yield from each(
        "RefundPot", "seats", ("",), lambda request, value: setattr(request, "table_id", value or TABLE)
    )
    yield from scalar("RefundPot", "reason", (0, w.REFUND_REASON_STAKES_MISSING, w.REFUND_REASON_OPERATOR))
    yield from each("ListPots", "states[0]", (0, 99), lambda request, value: request.states.append(value))
    yield from each(
        "ListPots",
        "opened_before.nanos",
        (-1, 10**9),
        lambda request, value: setattr(request.opened_before, "nanos", value),
    )
    for rpc in ("HoldStake", "ReleaseStake"):
        yield from scalar(rpc, "reservation_id", BAD_IDS)
    yield from scalar("Deposit", "request_id", BAD_IDS)
    yield from scalar("SettlePot", "table_id", BAD_IDS)
    for rpc in ("Deposit", "HoldStake"):
        yield from scalar(rpc, "player_id", BAD_PLAYERS)
    for rpc in ("GetBalance", "ListEntries"):
        yield from scalar(rpc, "player_id", BAD_PLAYERS[1:])
        yield from scalar(rpc, "tenant", BAD_TENANTS[1:])
    yield from scalar("Deposit", "tenant", BAD_TENANTS[1:])
    for rpc in ("OpenPot", "QuotePots"):
        yield from scalar(rpc, "tenant", BAD_TENANTS)
    yield from money("Deposit", "amount")
    yield from money("OpenPot", "stake")
    yield from scalar("Deposit", "reference", ("x" * 129, "a\nb", "\x00", *BAD_REFERENCES))
    yield from scalar("HoldStake", "seat", (4, 2**32 - 1))
    yield from scalar("SettlePot", "result_digest", (b"", b"x" * 31, b"x" * 33))
    yield from scalar("RefundPot", "reason", (0, 99))
    yield from scalar("GetBalance", "currency_code", BAD_CURRENCIES[1:])
    yield from scalar("ListEntries", "currency_code", BAD_CURRENCIES)
    yield from scalar("ListEntries", "page_size", (-1, -(2**31)))
    yield from scalar("ListEntries", "page_token", ("x", "AAAA", "é", "A" * 32, "A" * 5000))
    yield from each(
        "LockPot",
        "holds[2].reservation_id",
        BAD_IDS[:2],
        lambda request, value: setattr(request.holds[2], "reservation_id", value),
    )
    yield from each(
        "LockPot",
        "holds[0].player_id",
        BAD_PLAYERS[:2],
        lambda request, value: setattr(request.holds[0], "player_id", value),
    )
    yield from each(
        "QuotePots", "stakes", (101,), lambda request, value: request.stakes.extend([amount(1)] * (value - 1))
    )
    yield from each(
        "QuotePots",
        "stakes[1].minor_units",
        (0,),
        lambda request, value: request.stakes.append(amount(value)),
    )
    yield from each("LockPot", "holds", (3,), lambda request, value: request.holds.pop(value))


def method_of(bank, rpc):
    stubs = bank.pots, bank.recovery, bank.cashier, bank.wallet
    stub = next(stub for stub in stubs if hasattr(stub, rpc))
    of_service = stub in (bank.pots, bank.recovery) and rpc != "ForceEndRecovery"
    return getattr(stub, rpc), bank.service if of_service else bank.operator


async def test_every_malformed_field_is_named_and_changes_nothing(bank, sql):
    tried = 0
    for case in bad_requests():
        rpc, request, field = case.values
        method, caller = method_of(bank, rpc)
        with pytest.raises(Fault) as caught:
            await bank.call(method, request, caller)
        reason = "INVALID_PAGE_TOKEN" if field == "page_token" else "INVALID_FIELD"
        assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason), case.id
        assert [name for name, _ in caught.value.violations] == [field], case.id
        tried += 1
    assert tried > 150
    assert sql("SELECT (SELECT count(*) FROM wallet.account) + (SELECT count(*) FROM wallet.pot)") == [(0,)]
    assert sql("SELECT (SELECT count(*) FROM wallet.hold) + (SELECT count(*) FROM wallet.idempotency)") == [
        (0,)
    ]


async def test_strange_but_valid_names_go_through_unharmed(bank):
    players = (
        "Zoë",
        "a';DROP/**/TABLE/**/wallet.entry;--",
        "100%s",
        "\\x00",
        "🂡" * 128,
        '{"a":[1]}',
        "a|b\\",
    )
    for number, player in enumerate(players):
        reference = f'slip "{number}"; %s \\ Zürich'
        await bank.deposit(player, 500, reference=reference)
        pot = await bank.open(100)
        await bank.hold(pot.pot_id, 0, player)
        assert (await bank.get(pot.pot_id)).holds[0].player_id == player
        assert await bank.balances(player) == [(400, 100, "CHF")]
        assert (await bank.entries(player)).entries[1].reference == reference
    await bank.assert_sound()


async def test_an_amount_left_out_is_not_everything(bank):
    await bank.deposit("anna", 500)
    for rpc, request in (
        ("OpenPot", w.OpenPotRequest(pot_id=new_id(), tenant="default")),
        ("Deposit", w.DepositRequest(request_id=new_id(), player_id="anna")),
        ("OpenPot", w.OpenPotRequest(pot_id=new_id(), tenant="default", stake=Amount(currency_code="CHF"))),
    ):
        method, caller = method_of(bank, rpc)
        with pytest.raises(Fault) as caught:
            await bank.call(method, request, caller)
        assert caught.value.reason == "INVALID_FIELD"
    assert await bank.balance("anna") == 500


async def test_only_the_roles_of_the_contract_may_call(bank):
    allowed = {
        "GetBalance": {"player", "operator"},
        "ListEntries": {"player", "operator"},
        "GetPot": {"service", "operator"},
        "ListPots": {"service", "operator"},
        "Deposit": {"operator"},
        "Withdraw": {"operator"},
        "Correct": {"operator"},
        "SetFeeSchedule": {"operator"},
        "ForceRefundPot": {"operator"},
        "ForceSettlePot": {"operator"},
        "ForceEndRecovery": {"operator"},
        "TrialBalance": {"operator"},
    }
    for rpc, request in (*GOOD.items(), ("TrialBalance", w.TrialBalanceRequest())):
        method, _ = method_of(bank, rpc)
        with refused("TOKEN_MISSING", grpc.StatusCode.UNAUTHENTICATED):
            await bank.call(method, request, "")
        for role in ("player", "service", "operator", "tenant-admin"):
            refusal = None
            try:
                await bank.call(method, request, token("anna", role))
            except Fault as fault:
                refusal = fault.reason
            assert (refusal == "ROLE_NOT_ALLOWED") == (role not in allowed.get(rpc, {"service"})), (rpc, role)


async def test_nothing_of_the_database_reaches_the_caller(bank, owner):
    """Our own fault (here: a function taken away) is INTERNAL with a request id, and says no more."""
    owner.execute("DROP FUNCTION wallet.refund_pot")
    method, caller = method_of(bank, "RefundPot")
    with pytest.raises(Fault) as caught:
        await bank.call(method, GOOD["RefundPot"], caller)
    assert (caught.value.code, caught.value.message) == (grpc.StatusCode.INTERNAL, "internal error")
    assert caught.value.metadata["request_id"]


async def test_an_oversized_request_is_refused(bank):
    request = w.DepositRequest(request_id=ID, player_id="anna", amount=amount(5), reference="x" * (5 << 20))
    method, caller = method_of(bank, "Deposit")
    with pytest.raises((Fault, grpc.aio.AioRpcError)) as caught:
        await bank.call(method, request, caller)
    code = caught.value.code if isinstance(caught.value, Fault) else caught.value.code()
    assert code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert await bank.balances("anna") == []
