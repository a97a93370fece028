"""The verifier of records in JavaScript: it says the same as `cosca verify`, but for the rules."""

import itertools
import json
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from cosca.catalog import GAMES
from cosca.core.dice import Dice
from cosca.match.sealed import SealedDice
from cosca.words import say
from tests.kuhn.game import GAME as KUHN
from tests.records.making import (
    chained,
    contribution,
    dealt_by,
    honest,
    is_good,
    lines_of,
    record_of,
)
from tests.records.vectors import Vectors, read_vectors
from tests.web.nodejs import VERIFIER, run_script, run_verifier
from tests.web.tampering import (
    CAUGHT_BY_BOTH,
    CAUGHT_BY_BOTH_IN_FORMAT_2,
    CAUGHT_BY_RULES,
    Tampering,
)

GOOD = honest(0)
MANY = 1_000
CHUNK = 100


def evaluate(script: str) -> object:
    """Return the value of an expression in JavaScript that may use the verifier."""
    start = f"import * as verifier from {json.dumps(VERIFIER.as_uri())};"
    done = run_script(f"{start}\nconsole.log(JSON.stringify({script}));")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def judge(records: Mapping[str, str | bytes], place: Path) -> dict[str, str]:
    """Return what one run of the verifier says of each of several records."""
    for name, text in records.items():
        (place / name).write_bytes(text.encode() if isinstance(text, str) else text)
    done = run_verifier(*records, folder=place)
    assert done.stderr == ""
    said = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert list(said) == list(records)
    assert (done.returncode == 0) == all(map(is_praise, said.values()))
    return said


def is_praise(words: str) -> bool:
    """Return whether that is the verdict on a good record."""
    return words.startswith("good: ")


def judge_one(text: str | bytes, place: Path) -> tuple[int, str]:
    """Return the exit code and the verdict for one record alone."""
    (place / "one").write_bytes(text.encode() if isinstance(text, str) else text)
    done = run_verifier("one", folder=place)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
    return done.returncode, done.stdout.rstrip("\n")


# --- The vectors of the page ---------------------------------------------------------------------

TABLE, SEED = "example", bytes(range(32))
ENTROPY = {0: b"\xaa" * 16, 2: bytes(range(16))}


SECOND, FIRST = read_vectors()
HEXED = "((bytes) => Buffer.from(bytes).toString('hex'))"


def rolls(vectors: Vectors, key: str, format: int) -> str:
    """Return an expression for what the browser rolls for the draws of the page."""
    calls = [
        f"verifier.roll(key, {json.dumps(word)}, {index}, {n}, {format})"
        for word, index, n, _ in vectors.draws
    ]
    return f"((key) => [{', '.join(calls)}])(Uint8Array.from(Buffer.from('{key}', 'hex')))"


def test_the_vectors_of_the_page_are_what_the_browser_works_out() -> None:
    seal, key = SECOND.hash_of("seal"), SECOND.hash_of("key")
    bots = [{"is": "bot"}] * 3
    given = [
        {"is": "revealed", "bytes": ENTROPY[seat].hex()} if seat in ENTROPY else {"is": "bot"}
        for seat in range(3)
    ]
    header = {"format": 2, "table": TABLE, "seal": seal}
    keys = [json.dumps({**header, "contributions": each}) for each in (given, bots)]
    commits = [
        f'verifier.commit("{TABLE}", "{seal}", {seat}, "{added.hex()}")'
        for seat, added in ENTROPY.items()
    ]
    script = f"""((seed) => [
        verifier.seal("{TABLE}", seed),
        {", ".join(commits)},
        {", ".join(f"{HEXED}(verifier.dealingKey({each}, seed))" for each in keys)},
        {rolls(SECOND, key, 2)},
    ])("{SEED.hex()}")"""
    assert evaluate(script) == [
        seal,
        *(SECOND.hash_of(f"commitment of seat {seat}") for seat in ENTROPY),
        key,
        SECOND.hash_of("key if nobody adds"),
        [roll for *_, roll in SECOND.draws],
    ]


def test_the_links_of_the_page_are_what_the_browser_works_out() -> None:
    header, step = re.findall(r'`(\{"(?:cosca|by)":.+?\})`', SECOND.text)
    script = f"""((key, first) => [first, verifier.link(first, {step}, key, 2)])(
        ...((key) => [key, verifier.link("", {header}, key, 2)])(
            Uint8Array.from(Buffer.from("{SECOND.hash_of("key")}", "hex"))))"""
    assert evaluate(script) == [SECOND.hash_of("link 0"), SECOND.hash_of("link 1")]


def test_the_vectors_of_format_1_are_what_the_browser_works_out() -> None:
    promise, key = FIRST.hash_of("commitment"), FIRST.hash_of("key")
    added = {seat: entropy.hex() for seat, entropy in ENTROPY.items()}
    header = {"format": 1, "table": TABLE, "commitment": promise, "entropy": added}
    bare = {**header, "entropy": {}}
    script = f"""((seed) => [
        verifier.seal("{TABLE}", seed, 1),
        {HEXED}(verifier.dealingKey({json.dumps(header)}, seed)),
        {HEXED}(verifier.dealingKey({json.dumps(bare)}, seed)),
        {rolls(FIRST, key, 1)},
    ])("{SEED.hex()}")"""
    assert evaluate(script) == [
        promise,
        key,
        FIRST.hash_of("the key is"),
        [roll for *_, roll in FIRST.draws],
    ]


def test_its_hashes_are_the_usual_ones_for_every_length() -> None:
    script = """(await import("node:crypto").then((crypto) => {
        const long = Uint8Array.from({ length: 300 }, (_, at) => at * 7);
        const key = long.subarray(100, 132);
        const differs = (length) => {
            const bytes = long.subarray(0, length);
            const hash = crypto.createHash("sha256").update(bytes).digest();
            const keyed = crypto.createHmac("sha256", key).update(bytes).digest();
            return !hash.equals(verifier.sha256(bytes)) || !keyed.equals(verifier.hmac(key, bytes));
        };
        return [...long.keys()].filter(differs);
    }))"""
    assert evaluate(script) == []


# --- Both verifiers ------------------------------------------------------------------------------


@pytest.mark.parametrize("first", range(0, MANY, CHUNK))
def test_both_accept_honest_records_and_both_reject_the_tampered(
    first: int, tmp_path: Path
) -> None:
    records: dict[str, str] = {}
    for number in range(first, first + CHUNK):
        format = 1 if number % 3 == 0 else 2
        text = honest(number, rounds=2 if number % 10 == 0 else 1, format=format)
        tampering = CAUGHT_BY_BOTH[number % len(CAUGHT_BY_BOTH)]
        records[f"honest-{number}"] = text
        records[f"tampered-{number}-{tampering.__name__}"] = tampering(text, random.Random(number))
    python = {name for name, text in records.items() if is_good(text)}
    javascript = {name for name, words in judge(records, tmp_path).items() if is_praise(words)}
    expected = {name for name in records if name.startswith("honest")}
    assert len(expected) == len(records) // 2 == CHUNK
    assert (python - expected, javascript - expected) == (set(), set())
    assert (expected - python, expected - javascript) == (set(), set())


def contributed_to(first: int, count: int) -> list[str]:
    """Return records to whose dice at least one seat has contributed."""
    texts = (honest(number) for number in itertools.count(first))
    found = (text for text in texts if '"is":"revealed"' in text.split("\n", 1)[0])
    return list(itertools.islice(found, count))


@pytest.mark.parametrize(
    "tampering", CAUGHT_BY_BOTH_IN_FORMAT_2, ids=lambda tampering: tampering.__name__
)
def test_both_reject_contributions_that_are_not_those_of_the_game(
    tampering: Tampering, tmp_path: Path
) -> None:
    texts = contributed_to(2_000, 30)
    bad = {f"{at}": tampering(text, random.Random(at)) for at, text in enumerate(texts)}
    assert all(text != texts[int(at)] for at, text in bad.items())
    assert [at for at, text in bad.items() if is_good(text)] == []
    assert [at for at, words in judge(bad, tmp_path).items() if is_praise(words)] == []


def test_what_a_record_alone_cannot_show_changes_its_links(tmp_path: Path) -> None:
    """A withheld commitment is in no draw: the links that browsers keep are what binds it."""
    texts = (honest(number) for number in itertools.count())
    text = next(text for text in texts if '"is":"withheld"' in text.split("\n", 1)[0])
    lines = lines_of(text)
    given = next(given for given in lines[0]["contributions"] if given["is"] == "withheld")
    given["commitment"] = "0" * 64
    anew = chained(lines)
    assert is_good(anew)
    assert judge_one(anew, tmp_path)[0] == 0
    links = zip(lines_of(anew), lines_of(text), strict=True)
    assert all(one["chain"] != other["chain"] for one, other in links)


@pytest.mark.parametrize("tampering", CAUGHT_BY_RULES, ids=lambda tampering: tampering.__name__)
def test_what_only_the_rules_give_away_is_found_by_cosca_verify(
    tampering: Tampering, tmp_path: Path
) -> None:
    texts = [tampering(honest(number), random.Random(number)) for number in range(15)]
    assert not any(map(is_good, texts))
    said = judge({f"{at}": text for at, text in enumerate(texts)}, tmp_path)
    assert all(map(is_praise, said.values()))


def test_only_its_last_link_betrays_a_record_rewritten_throughout(tmp_path: Path) -> None:
    lines = lines_of(GOOD)
    lines[0]["players"][0] += " the Other"
    anew = chained(lines)
    assert is_good(anew)
    assert judge_one(anew, tmp_path)[0] == 0
    assert lines_of(anew)[-1]["chain"] != lines_of(GOOD)[-1]["chain"]


def kuhn(number: int) -> str:
    """Return the record of a game with secrets."""
    added = {1: bytes([number] * 16)} if number % 2 else {}
    format = 1 if number % 3 == 0 else 2
    dice = SealedDice(f"kuhn {number}", bytes([number] * 32), added, format=format)
    settings = KUHN.settings("", {})
    chosen = random.Random(number)
    given = [contribution(dice, seat, chosen) for seat in range(3)]
    return record_of(KUHN, settings, dice, ["Ann", "Bob", "Cid"], Dice(number), given)


def test_both_accept_games_with_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, KUHN.name, KUHN)
    records = {f"{number}": kuhn(number) for number in range(40)}
    assert any('"for":' in text for text in records.values())
    assert all(map(is_good, records.values()))
    assert all(map(is_praise, judge(records, tmp_path).values()))


def test_both_reject_a_changed_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, KUHN.name, KUHN)
    old, new = '"card":', '"card":1'
    records = {f"{number}": kuhn(number).replace(old, new, 1) for number in range(10)}
    assert not any(map(is_good, records.values()))
    assert not any(map(is_praise, judge(records, tmp_path).values()))


# --- What is not a record, or not in canonical form ----------------------------------------------

LINES = GOOD.split("\n")[:-1]
HEADER, STEP = LINES[0], LINES[1]


def with_line(number: int, line: str) -> str:
    """Return the good record with one line replaced."""
    return "\n".join([*LINES[: number - 1], line, *LINES[number:], ""])


NO_RECORDS: dict[str, str | bytes] = {
    "empty": "",
    "line feeds": "\n" * 300_000,
    "noise": random.Random(1).randbytes(100_000),
    "a list": "[]\n",
    "nothing": "null\n",
    "another object": '{"cosca":"game"}\n',
    "another format": GOOD.replace('"format":2', '"format":3'),
    "cut": GOOD[:-1],
    "cut in the middle": GOOD[: len(GOOD) // 2],
    "not UTF-8": GOOD.encode().replace(b'"step":3', b'"step":\xff3'),
    "a mark before it": "\ufeff" + GOOD,
    "an empty line at the end": GOOD + "\n",
    "brackets": "[" * 100_000_000,
    "brackets in a line": f"{HEADER}\n{'[' * 999_000}\n",
    "braces in a line": HEADER + "\n" + '{"a":' * 190_000 + "\n",
    "a long line": f'{HEADER}\n{{"a":"{"x" * 1_000_000}"}}\n',
    "a line that is long in bytes": f'{HEADER}\n{{"a":"{"日" * 400_000}"}}\n',
    "many lines": f"{HEADER}\n" + "{}\n" * 100_000,
    "many bytes": f"{HEADER}\n" + f'{{"a":"{"x" * 900_000}"}}\n' * 72,
}
NOT_CANONICAL = {
    "a space": STEP.replace(":", ": ", 1),
    "a carriage return": STEP + "\r",
    "a key twice": STEP.replace('"step":1', '"step":1,"step":1'),
    "a key twice, first otherwise": STEP.replace('"step":1', '"step":2,"step":1'),
    "keys in another order": '{"step":1,' + STEP[1:].replace(',"step":1', ""),
    "a fraction": STEP.replace('"step":1', '"step":1.0'),
    "an exponent": STEP.replace('"step":1', '"step":1e0'),
    "minus nothing": STEP.replace('"index":0', '"index":-0'),
    "a number that is not exact": STEP.replace('"index":0', '"index":9007199254740993'),
    "a number that is too large": STEP.replace('"index":0', '"index":9007199254740992'),
    "a huge number": STEP.replace('"index":0', f'"index":1{"0" * 400}'),
    "an escape": STEP.replace("chance", "ch\\u0061nce"),
    "a slash with an escape": STEP.replace("chance", "\\/"),
    "half a character": STEP.replace("chance", "\\ud800"),
    "the halves of a character": STEP.replace("chance", "\\ud83c\\udca1"),
    "an escape in large letters": STEP.replace("chance", "\\u001F"),
    "deep nesting": STEP.replace('"index":0', f'"index":{"[" * 5_000}{"]" * 5_000}'),
    "keys in order of halves": STEP.replace('"by"', '"\U00010000":1,"\uffee":1,"by"'),
}


@pytest.mark.parametrize("kind", NO_RECORDS)
def test_the_exit_code_is_2_for_what_is_not_a_record(kind: str, tmp_path: Path) -> None:
    code, words = judge_one(NO_RECORDS[kind], tmp_path)
    assert code == 2, words
    assert re.fullmatch(r"one: line \d+: .+\.", words)
    assert not is_good(NO_RECORDS[kind])


@pytest.mark.parametrize("kind", NOT_CANONICAL)
def test_a_line_that_is_not_canonical_is_not_good(kind: str, tmp_path: Path) -> None:
    code, words = judge_one(with_line(2, NOT_CANONICAL[kind]), tmp_path)
    assert NOT_CANONICAL[kind] != STEP
    assert code == 1
    assert words == "one: line 2: the line is not in the standard form of a record."


KEYS = [(at, key) for at in (0, 1, -1) for key in json.loads(LINES[at]) if key != "chain"]
ODD: Sequence[object] = ([], {}, "", "x", -1, 1 << 40, True, None, [[]], {"for": 1}, [None])


@pytest.mark.parametrize(("at", "key"), KEYS)
def test_a_key_with_anything_odd_in_it_is_not_good_and_never_a_crash(
    at: int, key: str, tmp_path: Path
) -> None:
    records = {}
    for number, odd in enumerate(ODD):
        lines = [json.loads(line) for line in LINES]
        lines[at][key] = odd
        chain = [json.dumps(line, sort_keys=True, separators=(",", ":")) for line in lines]
        records[f"{number}"] = "\n".join([*chain, ""])
    assert not any(map(is_praise, judge(records, tmp_path).values()))


@pytest.mark.parametrize("odd", [*ODD, [{"fact": "holds", "for": [0]}], [{"hand": 3}]])
def test_unspoken_facts_are_some_and_open(odd: object, tmp_path: Path) -> None:
    lines = lines_of(GOOD)
    assert not any("unspoken" in line for line in lines[1:3])
    lines[1]["unspoken"] = odd
    assert judge_one(chained(lines), tmp_path)[0] == 1
    lines[1]["unspoken"] = [{"fact": "holds", "hand": 3}]
    assert judge_one(chained(lines), tmp_path)[0] == 0


def test_format_1_has_nothing_unspoken(tmp_path: Path) -> None:
    lines = lines_of(honest(1, format=1))
    assert not any("unspoken" in line for line in lines)
    lines[1]["unspoken"] = [{"fact": "holds", "hand": 3}]
    assert judge_one(chained(lines), tmp_path)[0] == 1


def test_keys_are_sorted_by_code_point(tmp_path: Path) -> None:
    lines = lines_of(GOOD)
    lines[0]["options"] = {"\U00010000": 1, "\uffee": 2, "z": 3, "": 4, "zz": 5, "__proto__": 6}
    text = chained(lines)
    assert text.index("\uffee") < text.index("\U00010000")
    assert judge_one(text, tmp_path)[0] == 0


# --- In a terminal and in a page -----------------------------------------------------------------


def test_the_verdict_on_a_good_record_is_one_sentence(tmp_path: Path) -> None:
    steps, chain = len(LINES) - 2, json.loads(LINES[-1])["chain"]
    summary = f"vendetta, {steps} steps, by dice sealed before the game (chain {chain[:8]})."
    code, words = judge_one(GOOD, tmp_path)
    assert (code, words[: len(summary) + 6]) == (0, f"Good: {summary}")


def test_the_verdict_names_who_contributed_and_what_that_proves(tmp_path: Path) -> None:
    words = judge_one(dealt_by(KUHN, "rwb"), tmp_path)[1]
    assert "Contributed: Rosa (seat 1). Committed but withheld: Ugo (seat 2)." in words
    assert "Silent: nobody. Bots: Pia (seat 3)." in words
    assert words.endswith("If one of those who contributed was honest, nobody chose the deal.")


def test_the_verdict_says_where_the_house_alone_could_choose(tmp_path: Path) -> None:
    words = judge_one(dealt_by(KUHN, "sbw"), tmp_path)[1]
    assert "Contributed: nobody. Committed but withheld: Pia (seat 3)." in words
    assert words.endswith("Nobody contributed: the house alone could have chosen the deal.")


def test_the_verdict_says_what_format_1_proves(tmp_path: Path) -> None:
    code, words = judge_one(honest(1, format=1), tmp_path)
    assert code == 0
    assert "the house could have chosen its seed after it had seen them" in words


def test_of_many_files_the_worst_decides(tmp_path: Path) -> None:
    (tmp_path / "good").write_bytes(GOOD.encode())
    (tmp_path / "bad").write_bytes(with_line(2, STEP + " ").encode())
    assert run_verifier("good", "good", folder=tmp_path).returncode == 0
    assert run_verifier("good", "bad", "good", folder=tmp_path).returncode == 1
    missing = run_verifier("missing", "bad", folder=tmp_path)
    assert missing.returncode == 2
    assert missing.stdout.splitlines()[0] == "missing: it cannot be read."


def test_without_files_it_says_how_to_use_it(tmp_path: Path) -> None:
    done = run_verifier(folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "FILE" in done.stderr


def test_a_page_gets_a_verdict_and_never_an_error() -> None:
    bad = with_line(2, STEP + " ")
    texts = json.dumps([GOOD, bad, "", "\ud800", None])
    chain = json.loads(LINES[-1])["chain"]
    verdicts = evaluate(f"{texts}.map(verifier.verifyRecord)")
    assert isinstance(verdicts, list)
    lines = lines_of(GOOD)
    assert verdicts[0] == {
        "ok": True,
        "format": 2,
        "game": "vendetta",
        "steps": len(LINES) - 2,
        "chain": chain,
        "contributions": lines[0]["contributions"],
        "links": [line["chain"] for line in lines],
        "lines": lines,
    }
    assert [verdict["ok"] for verdict in verdicts[1:]] == [False] * 4
    assert [verdict["isRecord"] for verdict in verdicts[1:]] == [True, False, False, False]
    assert verdicts[1]["line"] == 2


def test_it_needs_neither_server_nor_network() -> None:
    source = VERIFIER.read_text(encoding="utf-8")
    assert not re.search(r"^import |\bfetch\(|XMLHttp|crypto\.|https?://", source, re.MULTILINE)


def test_it_says_what_is_wrong_in_the_words_of_the_page() -> None:
    source = VERIFIER.read_text(encoding="utf-8")
    table = source.split("const REASONS = {")[1].split("};")[0]
    reasons = dict(re.findall(r'^ {4}(\w+): "(.*)",$', table, re.MULTILINE))
    assert {key: say(f"client.over.reasons.{key}", {}) for key in reasons} == reasons
    assert len(reasons) == 17
