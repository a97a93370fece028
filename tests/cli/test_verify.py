"""`cosca verify` as a sceptical player uses it."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cosca.cli.verify import command
from tests.records.making import VENDETTA, dealt_by, honest

KEPT = Path(__file__).parents[1] / "records" / "kept" / "0.1.0" / "vendetta.jsonl"


def verified(text: str, folder: Path) -> Result:
    """Run `cosca verify` on a record."""
    file = folder / "game.jsonl"
    file.write_text(text, encoding="utf-8", newline="")
    return CliRunner().invoke(command, [str(file)])


def test_it_names_who_contributed_and_says_what_that_proves(tmp_path: Path) -> None:
    done = verified(dealt_by(VENDETTA, "rwsb"), tmp_path)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].startswith("Valid: Vendetta, ")
    assert done.stdout.splitlines()[1:] == [
        "Contributed to the dice: Rosa (seat 1).",
        "Committed, but did not reveal their bytes: Ugo (seat 2). "
        "Each of them could choose between two deals, and lost the seat to a bot.",
        "Contributed nothing: Pia (seat 3).",
        "Bots (they contribute nothing): Leo (seat 4).",
        "If at least one of the contributors was honest, nobody could choose the deal, "
        "not even the house and everyone else together.",
    ]


def test_it_says_where_the_house_alone_could_have_chosen(tmp_path: Path) -> None:
    done = verified(dealt_by(VENDETTA, "wbb"), tmp_path)
    assert done.exit_code == 0
    last = "Nobody contributed, so the house alone could have chosen the deal."
    assert done.stdout.splitlines()[-1] == last


def test_it_labels_format_1_with_what_it_proves(tmp_path: Path) -> None:
    done = verified(KEPT.read_text(encoding="utf-8"), tmp_path)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith(
        "This record has the older format 1. It proves that nothing was changed"
    )
    assert "but not that the house picked its seed before" in lines[1]


def test_bytes_that_nobody_committed_to_are_reported_with_their_seat(tmp_path: Path) -> None:
    text = dealt_by(VENDETTA, "brb")
    done = verified(text.replace('"bytes":"01', '"bytes":"02', 1), tmp_path)
    assert done.exit_code == 1
    error = "Invalid, line 1: the bytes of seat 2 are not the ones it committed to.\n"
    assert done.stderr == error


@pytest.mark.parametrize("number", range(5))
def test_names_cannot_move_the_cursor(number: int, tmp_path: Path) -> None:
    done = verified(honest(number), tmp_path)
    assert done.exit_code == 0
    assert all(line.isprintable() for line in done.stdout.split("\n"))


def files(folder: Path, *texts: str) -> list[str]:
    """Write records into files and return their names."""
    names = []
    for number, text in enumerate(texts):
        file = folder / f"{number}.jsonl"
        file.write_text(text, encoding="utf-8", newline="")
        names.append(str(file))
    return names


def test_several_files_get_one_line_each(tmp_path: Path) -> None:
    good = honest(0)
    names = files(tmp_path, good, honest(1))
    done = CliRunner().invoke(command, names)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    for name, line in zip(names, lines, strict=True):
        assert line.startswith(f"{name}: Valid: ")


@pytest.mark.parametrize(("bad", "code"), [("invalid", 1), ("no record", 2), ("both", 2)])
def test_one_bad_file_among_several_gives_the_exit_code(
    bad: str, code: int, tmp_path: Path
) -> None:
    good = dealt_by(VENDETTA, "brb")
    invalid = good.replace('"bytes":"01', '"bytes":"02', 1)
    texts = {"invalid": [invalid], "no record": ["hello"], "both": [invalid, "hello"]}[bad]
    done = CliRunner().invoke(command, files(tmp_path, good, *texts, good))
    assert done.exit_code == code
    lines = done.stdout.splitlines()
    assert len(lines) == 2 + len(texts)
    assert "Valid" in lines[0] and "Valid" in lines[-1]
    assert not any(" Valid" in line for line in lines[1:-1])
