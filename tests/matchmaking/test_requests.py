"""Catalog, lists, and bad input: the right code with a reason, nothing changed."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from jasshaus.api.common.v1 import money_pb2, rules_pb2
from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.matchmaking import catalog as catalog_module
from jasshaus.matchmaking.config import Config
from jasshaus.matchmaking.lobby import listing
from jasshaus.matchmaking.metrics import ACTIONS, JOINS, LIVE, STEPS
from jasshaus.platform.config import ConfigError, read_config
from matchmaking.harness import FOUR, Front, Harness, chf, new_id, refused

INVALID = grpc.StatusCode.INVALID_ARGUMENT


async def test_the_catalog_shows_presets_and_what_stakes_turn_into(front: Front):
    catalog = await front.player("anna").call("GetCatalog", pb.GetCatalogRequest())
    assert [preset.name for preset in catalog.presets] == [
        "schieber-partner",
        "schieber-classic",
        "schieber-3000",
        "differenzler-classic",
        "differenzler-swisslos",
    ]
    assert [preset.recommended for preset in catalog.presets] == [True, False, False, False, False]
    assert catalog.presets[1].rule_set.target == 2500
    assert [quote.stake.minor_units for quote in catalog.stakes] == [100, 200, 500, 1000, 2000, 5000]
    assert (catalog.stakes[0].fee.minor_units, catalog.stakes[0].net.minor_units) == (10, 390)
    assert catalog.max_games_per_player == 4


async def test_quotes_are_asked_every_few_seconds_only(place: Harness, front: Front):
    anna = front.player("anna")
    for _ in range(5):
        await anna.call("GetCatalog", pb.GetCatalogRequest())
    assert place.wallet.count("QuotePots") == 1


async def test_a_slow_wallet_holds_nobody_up_who_may_know_its_last_word(
    place: Harness, front: Front, monkeypatch: pytest.MonkeyPatch
):
    anna = front.player("anna")
    first = await anna.call("GetCatalog", pb.GetCatalogRequest())
    monkeypatch.setattr(catalog_module, "_QUOTES_SECONDS", 0.0)
    monkeypatch.setattr(catalog_module, "_PATIENCE_SECONDS", 0.01)
    gate = place.wallet.pause("QuotePots")
    place.wallet.schedules[0].fee_bps = 1000
    for _ in range(3):
        assert await anna.call("GetCatalog", pb.GetCatalogRequest()) == first
    async with asyncio.timeout(10):
        while place.wallet.count("QuotePots") < 2:
            await asyncio.sleep(0.01)
    # Asked once, and the answer counts when it comes.
    gate.set()
    async with asyncio.timeout(10):
        while await anna.call("GetCatalog", pb.GetCatalogRequest()) == first:
            await asyncio.sleep(0.01)


async def test_the_catalog_says_the_rules_in_a_players_words(front: Front):
    anna = front.player("anna")
    silent = await anna.call("GetCatalog", pb.GetCatalogRequest())
    said = await anna.call("GetCatalog", pb.GetCatalogRequest(language_code="fr-CH"))

    assert not any(preset.title or preset.rules_in_words for preset in silent.presets)
    assert all(preset.title and preset.rules_in_words for preset in said.presets)


async def test_without_the_wallet_there_is_no_catalog(place: Harness, front: Front):
    place.wallet.down = True
    with refused("WALLET_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE):
        await front.player("anna").call("GetCatalog", pb.GetCatalogRequest())


async def test_options_are_overridden_one_by_one(front: Front):
    overrides = rules_pb2.RuleSet(target=1000, multipliers=rules_pb2.Multipliers(bells=3))
    game = await front.player("anna").open(0, overrides=overrides)
    assert (game.rule_set.target, game.rule_set.multipliers.bells, game.rule_set.multipliers.unenufe) == (
        1000,
        3,
        4,
    )
    assert (game.rule_set.preset, game.rule_set.match_bonus) == ("schieber-classic", 100)


async def test_the_catalogs_rule_set_can_be_sent_back_changed(front: Front):
    anna = front.player("anna")
    catalog = await anna.call("GetCatalog", pb.GetCatalogRequest())
    for preset in catalog.presets:
        if preset.rule_set.variant == rules_pb2.VARIANT_DIFFERENZLER:
            preset.rule_set.rounds = 6
        else:
            preset.rule_set.target = 1500
        if preset.rule_set.schneider_below:
            preset.rule_set.schneider_below = 0
        game = await anna.open(0, preset=preset.name, overrides=preset.rule_set)
        assert game.rule_set == preset.rule_set
        await anna.leave(game)


@pytest.mark.parametrize(
    ("overrides", "field"),
    [
        (rules_pb2.RuleSet(target=99), "target"),
        (rules_pb2.RuleSet(target=-1), "target"),
        (rules_pb2.RuleSet(rounds=4), "rounds"),
        (rules_pb2.RuleSet(finish=0), "finish"),
        (rules_pb2.RuleSet(finish=9), "finish"),
        (rules_pb2.RuleSet(finish=2, claim_when=1), "claim_when"),
        (rules_pb2.RuleSet(multipliers=rules_pb2.Multipliers(bells=0)), "multipliers.bells"),
        (rules_pb2.RuleSet(schneider_below=3000), "schneider_below"),
        (rules_pb2.RuleSet(variant=rules_pb2.VARIANT_DIFFERENZLER), "variant"),
        (rules_pb2.RuleSet(variant=9), "variant"),
        (rules_pb2.RuleSet(preset="schieber-3000"), "preset"),
    ],
)
async def test_a_bad_option_is_named(front: Front, overrides, field: str):
    with refused("OPTION_INVALID", INVALID) as faults:
        await front.player("anna").open(0, overrides=overrides)
    assert faults[0].violations[0][0] == f"overrides.{field}"


async def test_all_bad_options_are_named_at_once(front: Front):
    overrides = rules_pb2.RuleSet(
        preset="schieber-3000", target=99, finish=9, multipliers=rules_pb2.Multipliers(roses=0, bells=11)
    )
    with refused("OPTION_INVALID", INVALID) as faults:
        await front.player("anna").open(0, overrides=overrides)
    assert [field.removeprefix("overrides.") for field, _ in faults[0].violations] == [
        "preset",
        "target",
        "multipliers.roses",
        "multipliers.bells",
        "finish",
    ]


async def test_a_short_match_needs_no_word_on_schneider(front: Front):
    game = await front.player("anna").open(0, preset="schieber-3000", overrides=rules_pb2.RuleSet(target=500))
    assert (game.rule_set.target, game.rule_set.schneider_below) == (500, 250)


@pytest.mark.parametrize(
    "stake",
    [
        chf(99),
        chf(-100),
        chf(10**18),
        chf(-(2**63)),
        money_pb2.Amount(currency_code="EUR", minor_units=100),
        money_pb2.Amount(minor_units=100),
    ],
)
async def test_a_stake_not_offered_is_answered_with_those_that_are(place: Harness, front: Front, stake):
    request = pb.OpenGameRequest(request_id=new_id(), preset="schieber-classic", stake=stake)
    with refused("STAKE_NOT_OFFERED", INVALID) as faults:
        await front.player("anna").call("OpenGame", request)
    assert faults[0].metadata == {"offered": "100,200,500,1000,2000,5000", "currency_code": "CHF"}
    assert place.wallet.calls == []


async def test_a_differenzler_is_opened_with_options_of_its_own(front: Front):
    overrides = rules_pb2.RuleSet(announcements=rules_pb2.ANNOUNCEMENTS_OPEN, rounds=2, exact_bonus=10)
    game = await front.player("anna").open(0, preset="differenzler-swisslos", overrides=overrides)
    rules = game.rule_set
    assert rules.variant == rules_pb2.VARIANT_DIFFERENZLER
    assert (rules.announcements, rules.rounds, rules.exact_bonus) == (rules_pb2.ANNOUNCEMENTS_OPEN, 2, 10)
    assert rules.undertrump == rules_pb2.UNDERTRUMP_VOID_ONLY
    assert not rules.HasField("target")


@pytest.mark.parametrize(
    ("overrides", "field"),
    [
        (rules_pb2.RuleSet(announcements=0), "announcements"),
        (rules_pb2.RuleSet(announcements=9), "announcements"),
        (rules_pb2.RuleSet(rounds=13), "rounds"),
        (rules_pb2.RuleSet(exact_bonus=5), "exact_bonus"),
        (rules_pb2.RuleSet(target=1000), "target"),
    ],
)
async def test_a_bad_option_of_a_differenzler_is_named(front: Front, overrides, field: str):
    with refused("OPTION_INVALID", INVALID) as faults:
        await front.player("anna").open(0, preset="differenzler-classic", overrides=overrides)
    assert faults[0].violations[0][0] == f"overrides.{field}"


@pytest.mark.parametrize("preset", ["", "nonsense", "Differenzler-classic"])
async def test_an_unknown_preset_is_refused(front: Front, preset: str):
    with refused("PRESET_NOT_FOUND", INVALID):
        await front.player("anna").open(0, preset=preset)


@pytest.mark.parametrize(
    "text",
    ["", "x", "ABCDEF000000000000000000000000000000", "{00000000-0000-0000-0000-000000000000}", "a" * 5000],
)
async def test_malformed_ids_are_refused(front: Front, text: str):
    anna = front.player("anna")
    calls = [
        ("OpenGame", pb.OpenGameRequest(request_id=text, preset="schieber-classic")),
        ("JoinGame", pb.JoinGameRequest(request_id=text, game_id=new_id())),
        ("JoinGame", pb.JoinGameRequest(request_id=new_id(), game_id=text)),
        ("LeaveGame", pb.LeaveGameRequest(request_id=text, game_id=new_id())),
        ("LeaveGame", pb.LeaveGameRequest(request_id=new_id(), game_id=text)),
        ("GetGame", pb.GetGameRequest(game_id=text)),
    ]
    for method, request in calls:
        with refused("INVALID_FIELD", INVALID):
            await anna.call(method, request)


async def test_unknown_games_are_not_found(front: Front):
    anna = front.player("anna")
    for call in (anna.get(new_id()), anna.join(new_id()), anna.leave(new_id())):
        with refused("GAME_NOT_FOUND", grpc.StatusCode.NOT_FOUND):
            await call


@pytest.mark.parametrize("seat", [4, 2**32 - 1])
async def test_seats_are_four(front: Front, seat: int):
    anna, beat, *_ = front.players()
    with refused("INVALID_FIELD", INVALID):
        await anna.open(0, seat=seat)
    game = await anna.open(0)
    with refused("INVALID_FIELD", INVALID):
        await beat.join(game, seat=seat)


async def test_pages_neither_skip_nor_repeat(front: Front):
    owners = front.players(*(f"p{number}" for number in range(5)))
    games = [(await owner.open(0)).game_id for owner in owners]
    anna = front.player("anna")
    first = await anna.list(page_size=2)
    newer = await owners[0].open(0)
    second = await anna.list(page_size=2, page_token=first.next_page_token)
    third = await anna.list(page_size=2, page_token=second.next_page_token)
    seen = [game.game_id for page in (first, second, third) for game in page.games]
    assert seen == games[::-1]
    assert (
        (await anna.list(page_size=2, page_token=third.next_page_token)).games == []
        if third.next_page_token
        else True
    )
    assert (await anna.listed())[0] == newer.game_id


async def test_a_page_of_a_rare_variant_is_found_at_once(front: Front, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(listing, "_CHUNK", 1)
    anna = front.player("anna")
    wanted = await anna.open(0, preset="differenzler-classic")
    for number in range(6):
        await front.player(f"p{number}").open(0)
    variant = rules_pb2.VARIANT_DIFFERENZLER
    first = await anna.list(variant=variant)
    assert [game.game_id for game in first.games] == [wanted.game_id]
    assert first.next_page_token == ""


async def test_full_games_are_not_listed(front: Front, place: Harness):
    anna, *others = front.players()
    game = await anna.open(0)
    place.tables.down = True
    for player in others:
        await player.join(game)
    assert await anna.listed() == []


async def test_a_list_of_one_variant(front: Front):
    anna = front.player("anna")
    game = await anna.open(0)
    assert [each.game_id for each in (await anna.list(variant=1)).games] == [game.game_id]
    assert list((await anna.list(variant=2)).games) == []
    with refused("INVALID_FIELD", INVALID):
        await anna.list(variant=9)


async def test_page_tokens_are_ours(front: Front):
    anna = front.player("anna")
    for _ in range(2):
        await anna.open(0)
    token = (await anna.list(page_size=1)).next_page_token
    for wrong in ("x", "é", token[:-3], "Z2FtZXMvL3g="):
        with refused("INVALID_PAGE_TOKEN", INVALID):
            await anna.list(page_token=wrong)
    with refused("INVALID_PAGE_TOKEN", INVALID):
        await anna.list(page_token=token, variant=1)
    with refused("INVALID_FIELD", INVALID):
        await anna.list(page_size=-1)


@pytest.mark.parametrize("name", ["ä|b", "x" * 128, "a%{}'\"\\", "default}:x"])
async def test_any_player_id_is_just_text(place: Harness, front: Front, name: str):
    place.wallet.fund(name, amount=1000)
    player = front.player(name)
    game = await player.open(100)
    assert (await player.get(game)).seats[0].player_id == name
    await player.leave(game)
    assert place.wallet.balance(name) == 1000


async def test_an_operator_reads_but_does_not_play(front: Front):
    operator = front.player("op", role="operator")
    game = await front.player("anna").open(0)
    assert (await operator.get(game)).game_id == game.game_id
    with refused("ROLE_NOT_ALLOWED", grpc.StatusCode.PERMISSION_DENIED):
        await operator.join(game)
    call = operator.watch()
    assert [each.game_id for each in (await call.read()).snapshot.games] == [game.game_id]
    call.cancel()


async def test_metrics_say_what_happened(place: Harness, front: Front):
    anna, beat, *_ = front.players()
    game = await anna.open(100)
    await beat.join(game)
    place.wallet.unavailable("HoldStake")
    with refused("WALLET_UNAVAILABLE"):
        await front.player("cla").join(game)
    with refused("INSUFFICIENT_FUNDS"):
        await front.player("poor").join(game)
    joins = {name: front.metric("jasshaus_lobby_joins_total", outcome=name) for name in JOINS}
    assert joins == {"seated": 1, "unavailable": 1, "refused": 1, "failed": 0}
    assert front.metric("jasshaus_lobby_step_failures_total", step="hold") == 1
    await front.parts.reconciler._count()
    assert front.metric("jasshaus_lobby_games", status="OPEN") == 1
    assert {*LIVE, *STEPS, *ACTIONS}


async def test_a_lost_database_is_unavailable(place: Harness):
    async with place.front(postgres_dsn="postgresql://127.0.0.1:1/none") as front:
        async with asyncio.timeout(20):
            with refused("STORE_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE):
                await front.player("anna").get(new_id())


def test_the_configuration_names_every_mistake():
    with pytest.raises(ConfigError) as caught:
        read_config(
            Config,
            {
                "JASSHAUS_MODE": "development",
                "JASSHAUS_STAKES": "100,-5",
                "JASSHAUS_PRESETS": "differenzler-4000",
                "JASSHAUS_CURRENCY": "chf",
            },
        )
    text = "\n".join(caught.value.problems)
    for name in (
        "STAKES",
        "PRESETS",
        "CURRENCY",
        "POSTGRES_DSN",
        "REDIS_URL",
        "WALLET_ADDRESS",
        "TABLE_ADDRESS",
    ):
        assert f"JASSHAUS_{name} " in text


def test_stakes_may_be_none():
    environ = {
        "JASSHAUS_MODE": "development",
        "JASSHAUS_DEV_SECRET": "x" * 32,
        "JASSHAUS_STAKES": "none",
        "JASSHAUS_POSTGRES_DSN": "postgresql://x",
        "JASSHAUS_REDIS_URL": "redis://x",
        "JASSHAUS_WALLET_ADDRESS": "x:1",
        "JASSHAUS_TABLE_ADDRESS": "x:1",
    }
    assert read_config(Config, environ).stakes == ()
    assert FOUR


async def test_ids_are_accepted_in_either_case_and_a_retry_may_change_it(front: Front):
    anna, beat, opening, joining = front.player("anna"), front.player("beat"), new_id(), new_id()
    game = await anna.open(request_id=opening.upper())
    assert await anna.open(request_id=opening) == game
    assert await anna.get(game.game_id.upper()) == game
    seat = (await beat.join(game.game_id.upper(), request_id=joining)).seat
    assert (await beat.join(game.game_id, request_id=joining.upper())).seat == seat
    assert game.game_id == game.game_id.lower()
