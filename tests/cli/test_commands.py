from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jasshaus.cli.commands import app
from jasshaus.devstack.folder import DataFolder
from jasshaus.platform.auth import Role, Verifier

SECRET = "a secret of the length that is needed"


def invoke(*arguments: str, **environ: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, arguments, env={"JASSHAUS_DEV_SECRET": "", **environ})
    return result.exit_code, result.output


@pytest.mark.parametrize("command", ["demo", "up", "token", "migrate", "replay", "play", "review"])
def test_every_command_explains_itself_with_examples(command: str) -> None:
    code, output = invoke(command, "--help")
    assert code == 0
    assert f"jasshaus {command}" in output


def test_without_a_command_the_commands_are_listed() -> None:
    _, output = invoke()
    assert all(
        command in output for command in ("demo", "up", "token", "migrate", "replay", "play", "review")
    )


def test_the_commands_are_listed_for_who_is_new_here() -> None:
    _, output = invoke("--help")
    assert re.findall(r"^(\w[\w ]+):$|^  ([a-z]+) +[A-Z]", output, re.MULTILINE)[1:] == [
        *(("Try it", ""), ("", "demo"), ("", "play"), ("", "up"), ("", "token")),
        *(("Read a saved match", ""), ("", "replay"), ("", "review")),
        *(
            ("For operators", ""),
            ("", "migrate"),
            ("", "recoveries"),
            ("", "acts"),
            ("", "pots"),
            ("", "fees"),
        ),
    ]


@pytest.mark.parametrize("group", [(), ("pots",), ("fees",)])
def test_a_command_is_said_on_one_line(group: tuple[str, ...]) -> None:
    _, output = invoke(*group, "--help")
    assert not re.search(r"^  .*\.\.\.$", output, re.MULTILINE)


def test_the_version() -> None:
    code, output = invoke("--version")
    assert code == 0
    assert output.startswith("jasshaus ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--target", "99"], "--target"),
        (["--target", "10001"], "--target"),
        (["--target", "many"], "--target"),
        (["--stake", "-1"], "--stake"),
        (["--seed", "-1"], "--seed"),
        (["--seed", "x"], "--seed"),
        (["--preset", "skat"], "schieber-classic"),
        (["--preset", "differenzler-classic", "--variant", "schieber"], "unknown rule set of schieber"),
        (["--preset", "schieber-3000", "--variant", "differenzler"], "differenzler-swisslos"),
        (["--variant", "skat"], "unknown game"),
        (["--variant", "differenzler", "--target", "500"], "not an option of differenzler"),
        (["--announcements", "open"], "not an option of schieber"),
        (["--announcements", "secret", "--variant", "differenzler"], "secret"),
        (["--variant", "differenzler", "--rounds", "13"], "--rounds"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_a_bad_option_of_the_demo_is_named(arguments: list[str], said: str) -> None:
    code, output = invoke("demo", *arguments)
    assert code == 2
    assert said in output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["demo", "--target", "99"], "'--target': '99' is not a whole number from 100 to 10000"),
        (["demo", "--stake", "many"], "'--stake': 'many' is not a whole number from 0 to 1000000000"),
        (["demo", "--announcements", "secret"], "'--announcements': unknown value secret; choose from open"),
        (["demo", "--preset", "skat"], "'--preset': unknown rule set skat; choose from schieber-classic"),
        (["play", "--bot", "mine"], "'--bot': unknown value mine; choose from greedy, random, strong"),
        (["play", "--deck", "tarot"], "'--deck': unknown value tarot; choose from swiss, german, french"),
        (["token", "a b"], "'subject': must be 1 to 128 printable characters"),
        (["token", "anna", "--tenant", "A"], "'--tenant': must be lower-case letters"),
        *((each, "'--data': an empty name") for each in (["demo", "--data", ""], ["up", "--data", " "])),
        (["demo", "--data", "/dev/null"], "'--data': /dev/null is not a directory"),
    ],
)
def test_a_bad_option_is_refused_by_name_with_what_would_be_right(arguments: list[str], said: str) -> None:
    code, output = invoke(*arguments, JASSHAUS_DEV_SECRET=SECRET)
    assert code == 2
    assert f"Error: Invalid value for {said}" in output


@pytest.mark.parametrize("command", ["demo", "up"])
@pytest.mark.parametrize("folder", ["/proc/nope", "/dev/null/x"])
def test_a_data_folder_that_cannot_be_made_is_one_line(command: str, folder: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "jasshaus.cli", command, "--data", folder],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"jasshaus: {folder} cannot be a data directory: ")
    assert "Traceback" not in done.stderr


async def test_a_token_is_printed_alone(tmp_path: Path) -> None:
    secret = DataFolder(tmp_path).secret("tokens")
    code, output = invoke("token", "boss", "--role", "operator", "--tenant", "alpha", "--data", str(tmp_path))
    assert code == 0
    principal = await Verifier(dev_secret=secret).verify(output.strip())
    assert (principal.subject, principal.tenant, principal.roles) == ("boss", "alpha", {Role.OPERATOR})


async def test_a_token_is_a_players_and_of_the_environments_secret_if_there_is_one(tmp_path: Path) -> None:
    code, output = invoke("token", "anna", "--data", str(tmp_path), JASSHAUS_DEV_SECRET=SECRET)
    assert code == 0
    assert (await Verifier(dev_secret=SECRET).verify(output.strip())).roles == {Role.PLAYER}


@pytest.mark.parametrize(
    ("arguments", "environ", "said"),
    [
        (["anna"], {"JASSHAUS_DEV_SECRET": "short"}, "32 bytes"),
        (["anna"], {}, "no stack"),
        (["anna", "--role", "king"], {"JASSHAUS_DEV_SECRET": SECRET}, "king"),
        (["anna", "--ttl", "0"], {"JASSHAUS_DEV_SECRET": SECRET}, "--ttl"),
        ([], {"JASSHAUS_DEV_SECRET": SECRET}, "subject"),
        (["with space"], {"JASSHAUS_DEV_SECRET": SECRET}, "subject"),
        (["anna", "--tenant", "Not A Tenant"], {"JASSHAUS_DEV_SECRET": SECRET}, "tenant"),
    ],
)
def test_a_token_that_cannot_be_made_is_explained(
    tmp_path: Path, arguments: list[str], environ: dict[str, str], said: str
) -> None:
    code, output = invoke("token", *arguments, "--data", str(tmp_path), **environ)
    assert code == 2
    assert said in output
    assert not list(tmp_path.iterdir())


def test_migrating_needs_a_database() -> None:
    code, output = invoke("migrate", JASSHAUS_POSTGRES_DSN="")
    assert code == 2
    assert "JASSHAUS_POSTGRES_DSN" in output


def test_migrating_says_why_it_could_not() -> None:
    code, output = invoke(
        "migrate", JASSHAUS_POSTGRES_DSN="postgresql://nobody@127.0.0.1:1/none?connect_timeout=2"
    )
    assert code == 1
    assert "wallet" in output
