"""Settings: each is documented, can come from the environment, and is validated first."""

import os
import re
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from cosca.cli import serve as cli
from cosca.core.errors import Refused
from cosca.server.ops.settings import Settings, validated
from cosca.words import say
from tests.processes import run

HOSTING = Path(__file__).parents[2] / "docs/hosting.md"
INTERNAL = {"bot_seconds", "unlimited"}
"""Settings for tests and measurements, without an option."""
START_ONLY = {"lan", "browse"}
"""Options for the start only, which are not settings."""
TOKEN = "an-admin-token-of-some-length"


def options() -> dict[str, click.Option]:
    """Return the options of `cosca serve` by flag."""
    found = [param for param in cli.command.params if isinstance(param, click.Option)]
    return {option.opts[0]: option for option in found}


def documented() -> dict[str, tuple[str, str]]:
    """Return the documented variable and default of each flag."""
    rows = re.findall(
        r"^\| `(--[\w-]+)` \| `(\w+)` \| (\S+) \| .+ \|$", HOSTING.read_text("utf-8"), re.MULTILINE
    )
    return {flag: (variable, default) for flag, variable, default in rows}


def default_of(option: click.Option) -> str:
    """Return the default of an option as documented."""
    if option.is_flag:
        return "off"
    default = option.default
    return f"`{default}`" if isinstance(default, str | int) and default != "" else "none"


def test_the_documented_options_are_the_existing_ones() -> None:
    flags = {flag: (str(option.envvar), default_of(option)) for flag, option in options().items()}
    assert documented() == flags


def test_every_setting_has_an_option_with_the_same_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = {field.name for field in fields(Settings)}
    known = {str(option.name) for option in options().values()}
    assert known - START_ONLY == settings - INTERNAL
    found, more = given(monkeypatch, **{str(option.envvar): "" for option in options().values()})
    assert found == Settings(store=found.store)
    assert more == {"lan": False, "browse": False}


def given(
    monkeypatch: pytest.MonkeyPatch, *words: str, **environ: str
) -> tuple[Settings, dict[str, Any]]:
    """Return the settings a house would start with."""
    seen: dict[str, Any] = {}
    monkeypatch.setattr("cosca.server.serve.serve", lambda *one, **two: seen.update(all=(one, two)))
    result = CliRunner().invoke(cli.command, words, env=environ, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    (settings, _), more = seen["all"]
    return settings, more


def test_everything_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    settings, more = given(
        monkeypatch,
        COSCA_HOST="0.0.0.0",
        COSCA_PORT="9000",
        COSCA_STORE="/somewhere/tables.db",
        COSCA_HOST_NAME="cosca.example www.cosca.example",
        COSCA_TRUST_PROXY="127.0.0.1 10.0.0.0/8",
        COSCA_WORKERS="3",
        COSCA_KEEP_DAYS="30",
        COSCA_METRICS="1",
        COSCA_ADMIN_TOKEN=TOKEN,
        COSCA_LOG="json",
        COSCA_LOG_LEVEL="error",
        COSCA_LAN="yes",
        COSCA_BROWSE="true",
    )
    assert more == {"lan": True, "browse": True}
    assert settings == Settings(
        host="0.0.0.0",
        port=9000,
        store=Path("/somewhere/tables.db"),
        names=("cosca.example", "www.cosca.example"),
        proxies=("127.0.0.1", "10.0.0.0/8"),
        workers=3,
        keep_days=30,
        metrics=True,
        admin_token=TOKEN,
        log="json",
        log_level="error",
    )


def test_an_option_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    settings, _ = given(monkeypatch, "--port", "9001", COSCA_PORT="9000", COSCA_HOST="")
    assert settings.port == 9001
    assert settings.host == Settings.host, "what is empty is not set"


def test_the_repr_of_settings_does_not_reveal_the_token(tmp_path: Path) -> None:
    settings = Settings(store=tmp_path / "tables.db", admin_token=TOKEN)
    assert TOKEN not in f"{settings} {settings!r}"


BAD: list[tuple[dict[str, Any], str]] = [
    ({"host": "http://localhost"}, "“http://localhost” is not an address to listen on. "),
    ({"host": ""}, "“” is not an address to listen on. "),
    ({"names": ("https://cosca.example",)}, "“https://cosca.example” is not a host name. "),
    ({"names": ("cosca.example:443",)}, "“cosca.example:443” is not a host name. "),
    ({"names": ("cosca.example/",)}, "“cosca.example/” is not a host name. "),
    ({"names": ("cosca..example",)}, "“cosca..example” is not a host name. "),
    ({"names": ("-cosca.example",)}, "“-cosca.example” is not a host name. "),
    ({"proxies": ("localhost",)}, "“localhost” is not the address of a proxy. "),
    ({"proxies": ("*",)}, "“*” is not the address of a proxy. "),
    ({"proxies": ("127.0.0.1", "127.0.0.1:80")}, "“127.0.0.1:80” is not the address of a proxy. "),
    *(
        ({"proxies": ("127.0.0.1", wide)}, f"“{wide}” is too wide for --trust-proxy")
        for wide in (
            "0.0.0.0/0",
            "128.0.0.0/1",
            "64.0.0.0/7",
            "::/0",
            "2000::/3",
            "2a00::/12",
            "2001::/19",
            "::ffff:0.0.0.0/96",
            "::ffff:64.0.0.0/103",
            "::/80",
        )
    ),
    ({"admin_token": "short"}, "--admin-token needs at least 20 characters"),
    ({"admin_token": "long enough but with spaces"}, "--admin-token needs at least 20"),
    ({"admin_token": "lang-genug-aber-mit-ü"}, "--admin-token needs at least 20"),
]


@pytest.mark.parametrize(("settings", "sentence"), BAD)
def test_invalid_settings_are_refused_before_the_house_opens(
    tmp_path: Path, settings: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(Refused) as refused:
        validated(Settings(store=tmp_path / "tables.db", **settings))
    said = say(refused.value.key, refused.value.params)
    assert said.startswith(sentence)
    assert settings.get("admin_token", "nothing") not in said
    assert list(tmp_path.iterdir()) == []


def test_good_settings_come_back_with_names_in_lower_case(tmp_path: Path) -> None:
    given = Settings(
        store=tmp_path / "new/folder/tables.db",
        names=("Cosca.Example", "xn--bcher-kva.example"),
        proxies=("::1", "10.0.0.0/8", "104.16.0.0/13", "2600:9000::/28", "fc00::/7", "fd00::/8"),
        admin_token=TOKEN,
    )
    assert validated(given).names == ("cosca.example", "xn--bcher-kva.example")
    assert validated(given).admin_token == TOKEN


def test_a_store_in_an_impossible_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("no folder")
    with pytest.raises(Refused, match=r"web\.no_folder"):
        validated(Settings(store=tmp_path / "letter" / "tables.db"))
    with pytest.raises(Refused, match=r"web\.store_is_folder"):
        validated(Settings(store=tmp_path))


@pytest.mark.parametrize("closed", ["folder", "file"])
def test_a_store_that_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    store = tmp_path / "tables.db"
    store.write_bytes(b"")
    wrong = tmp_path if closed == "folder" else store
    monkeypatch.setattr(os, "access", lambda path, how: path != wrong)  # root may all
    with pytest.raises(Refused) as refused:
        validated(Settings(store=store))
    assert refused.value.key == "web.cannot_write"
    assert refused.value.params["path"] == str(wrong)


@pytest.mark.parametrize(
    ("environ", "sentence"),
    [
        ({"COSCA_PORT": "many"}, "“many” is not a whole number. --port needs one."),
        ({"COSCA_KEEP_DAYS": "0"}, "--keep-days cannot be 0. Choose 1 to 36500."),
        ({"COSCA_HOST_NAME": "https://x.example"}, "“https://x.example” is not a host name. "),
        ({"COSCA_LAN": "perhaps"}, "Invalid value for --lan"),
        ({"COSCA_LOG": "xml"}, "Invalid value for --log. Choose one of: text, json."),
        ({"COSCA_ADMIN_TOKEN": "short"}, "--admin-token needs at least 20 characters"),
    ],
)
def test_a_bad_variable_ends_the_start_with_one_sentence(
    tmp_path: Path, environ: dict[str, str], sentence: str
) -> None:
    environ = {**os.environ, "COSCA_HOME": str(tmp_path), **environ}
    program = [sys.executable, "-m", "cosca.cli", "serve"]
    done = run(program, env=environ)
    assert done.returncode == 2
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1
