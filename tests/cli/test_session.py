"""A person's game against bots, without a terminal."""

import json
import re
from pathlib import Path

import pytest

from cosca.bots.consigliere import advise, format_explanation
from cosca.bots.roster import default_bot
from cosca.catalog import find
from cosca.cli import session as kinds
from cosca.cli.saved_game import HOME, SavedGame
from cosca.cli.seating import PERSON, Seating, make_seating
from cosca.cli.session import Session
from cosca.core.errors import Refused
from cosca.core.options import Settings
from cosca.match.verification import read_record, verify
from cosca.words import say

GAME = find("vendetta")


def seating(seed: int = 5, **wishes: str) -> Seating:
    return make_seating(
        GAME, seats=3, changes={"max_rounds": "2", **wishes}, bots="random", seed=seed
    )


def begin(seed: int = 5, **wishes: str) -> Session:
    """Return a game at the person's first turn."""
    return to_my_turn(Session.new(seating(seed, **wishes)))


def to_my_turn(session: Session) -> Session:
    while not session.is_over and not session.is_my_turn:
        session.advance()
    return session


def kept(session: Session) -> dict[str, object]:
    """Return what is saved of a game, without the name of its record, which is always new."""
    return {**session.save(), "record": ""}


def take_a_turn(session: Session) -> None:
    """Make a legal move: place one man somewhere, or nobody."""
    for move in ("1>1", "2>2 1>3", "pass"):
        try:
            session.handle_input(move)
        except Refused:
            continue
        session.confirm()
        to_my_turn(session)
        return


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME, str(tmp_path / "state"))
    return tmp_path / "state"


# --- Sitting down -----------------------------------------------------------------------------


def test_one_bot_is_named_for_all_and_the_usual_if_none_is() -> None:
    assert make_seating(GAME, seats=3, bots="random", seat=2).bots == ("random", PERSON, "random")
    assert make_seating(GAME).seats == GAME.default_seats
    assert make_seating(GAME).bots == (PERSON, *[default_bot(GAME)] * (GAME.default_seats - 1))


@pytest.mark.parametrize(
    ("key", "wishes"),
    [
        ("bad_seats", {"seats": 9}),
        ("bad_edition", {"edition": "klingon"}),
        ("bad_option", {"changes": {"weather": "fine"}}),
        ("bad_value", {"changes": {"hands": "sticky"}}),
        ("bad_bot", {"bots": "nobody"}),
        ("bad_seat", {"seats": 3, "seat": 4}),
        ("bots_for_opponents", {"seats": 4, "bots": "random,random"}),
    ],
)
def test_a_table_that_cannot_be_is_refused(key: str, wishes: dict[str, int]) -> None:
    with pytest.raises(Refused) as caught:
        make_seating(GAME, **wishes)  # type: ignore[arg-type]
    assert caught.value.key == key
    assert say(caught.value.key, caught.value.params)


# --- Typing -----------------------------------------------------------------------------------


def test_a_typed_move_is_shown_and_not_made() -> None:
    session = begin()
    log = list(session.table.log)
    for text in ("3 into 6", "3>6", " 3 > 6 "):
        answer = session.handle_input(text)
        assert (answer.kind, answer.text) == (kinds.PREVIEW, "3>6")
    assert session.table.log == log
    assert session.preview().board != session.drawing().board


def test_undo_takes_the_move_back_until_it_is_confirmed() -> None:
    session = begin()
    before = session.drawing()
    session.handle_input("3>6")
    session.undo()
    assert session.preview() == before
    with pytest.raises(Refused, match="nothing_to_undo"):
        session.undo()
    session.handle_input("pass")
    assert session.handle_input("").kind == kinds.CONFIRM
    session.confirm()
    with pytest.raises(Refused, match="nothing_to_undo"):
        session.undo()


@pytest.mark.parametrize(
    "text", ["hello", "99>1", "1>99", "11>6", "1>6 1>6", "3", "{seat}", "1" * 500]
)
def test_a_bad_move_gets_a_sentence_and_changes_nothing(text: str) -> None:
    session = begin()
    before = session.save()
    with pytest.raises(Refused) as caught:
        session.handle_input(text)
    assert say(caught.value.key, caught.value.params).endswith(".")
    assert session.save() == before


@pytest.mark.parametrize("text", ["hello", "99>1", "#99", "1>6 1>6"])
def test_enter_after_a_refusal_makes_no_move(text: str) -> None:
    session = begin()
    session.open_menu()
    session.handle_input("1>6")
    log = list(session.table.log)
    with pytest.raises(Refused):
        session.handle_input(text)
    assert session.handle_input("").kind == kinds.EMPTY
    assert session.table.log == log
    assert session.preview() == session.drawing()


@pytest.mark.parametrize("text", ["99 into 3", "51>3", "999999>13", "1>1 99>3"])
def test_too_many_men_are_refused_with_the_men_in_hand(text: str) -> None:
    session = begin()
    hand = session.table.position(session.seat).hands[session.seat]  # type: ignore[attr-defined]
    with pytest.raises(Refused) as caught:
        session.handle_input(text)
    sentence = say(caught.value.key, caught.value.params)
    assert f"You have {hand - text.startswith('1>1')} mafiosi in hand" in sentence
    assert " 50" not in sentence


def test_a_move_is_picked_from_the_menu_by_number() -> None:
    session = begin()
    with pytest.raises(Refused, match="no_menu"):
        session.handle_input("#1")
    menu = session.open_menu()
    session.handle_input("#1")
    assert session.pending == menu[0]
    for text in ("#99999", "#0", "#", "#x", "# 1 2"):
        with pytest.raises(Refused, match="no_such_choice"):
            session.handle_input(text)


def test_a_number_alone_is_a_card_even_while_the_menu_is_open() -> None:
    game = find("omerta")
    session = to_my_turn(Session.new(make_seating(game, seats=3, bots="random", seed=5)))
    two = game.parse_move("2")
    while game.to_actions(two)[0] not in session.position().legal:
        session.propose(session.open_menu()[0])
        session.confirm()
        to_my_turn(session)
    session.open_menu()
    session.handle_input("2")
    assert session.pending == two


def test_a_hint_names_a_move_that_can_be_typed_and_what_it_is_for() -> None:
    session = begin()
    hint = session.hint()
    found = re.fullmatch(r"Try ([^.]+)\. .+\.", hint[0])
    assert found
    advice = advise(session.game, session.position())
    assert hint[0].startswith(f"Try {found[1]}. {format_explanation(advice)}")
    session.handle_input(found[1])
    assert session.pending_text() == found[1]
    assert all(line.startswith("Expected next: ") for line in hint[1:])


@pytest.mark.parametrize("name", kinds.COMMANDS)
def test_every_command_can_be_typed(name: str) -> None:
    words = [word for word, meaning in kinds.command_words().items() if meaning == name]
    assert words
    for word in words:
        assert begin().handle_input(word.upper()).kind == name


def test_nothing_is_confirmed_that_was_not_typed() -> None:
    session = begin()
    assert session.handle_input("  ").kind == kinds.EMPTY
    with pytest.raises(Refused, match="nothing_to_confirm"):
        session.confirm()


# --- What happened ----------------------------------------------------------------------------


def test_news_are_the_events_since_my_last_move() -> None:
    session = begin()
    session.handle_input("pass")
    session.confirm()
    assert session.event_lines(session.news_start)[0] == "Red places nobody."
    bot = session.advance()
    assert session.event_lines(session.last_turn_start)[0].startswith(session.name(bot))


def test_one_bot_plays_one_turn_at_a_time() -> None:
    session = begin()
    session.handle_input("pass")
    session.confirm()
    for seat in (1, 2):
        assert session.advance() == seat
    assert session.is_my_turn


# --- Kept for later ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_a_game_with_breaks_ends_as_one_without(seed: int) -> None:
    straight, broken = begin(seed), begin(seed)
    saved = SavedGame(GAME)
    while not straight.is_over:
        saved.write(broken)
        again = saved.read()
        assert again is not None
        broken = again
        take_a_turn(straight)
        take_a_turn(broken)
    assert kept(broken) == kept(straight)
    assert broken.record() == straight.record()
    assert broken.event_lines() == straight.event_lines()
    assert broken.result() == straight.result()


def test_the_same_seed_gives_the_same_game() -> None:
    assert kept(begin(7)) == kept(begin(7))
    assert begin(7).save()["log"] != begin(8).save()["log"]


def test_a_pending_move_is_saved_too() -> None:
    session = begin()
    session.handle_input("3>6")
    saved = SavedGame(GAME)
    saved.write(session)
    again = saved.read()
    assert again is not None and again.pending_text() == "3>6"


def test_of_a_finished_game_the_record_alone_is_kept(home: Path) -> None:
    session = begin()
    saved = SavedGame(GAME)
    saved.write(session)
    assert sorted(file.name for file in home.iterdir()) == ["records", "vendetta.json"]
    while not session.is_over:
        take_a_turn(session)
    saved.write(session)
    saved.write(session)
    assert [file.name for file in home.iterdir()] == ["records"]
    assert session.result()
    with saved.record_path(session).open("rb") as file:
        verify(read_record(file))


def test_the_record_grows_with_the_game_and_says_the_seed_only_at_the_end() -> None:
    session = begin()
    before = session.record()
    take_a_turn(session)
    assert session.record()[: len(before)] == before
    assert len(session.record()) > len(before)
    seed = session.seating.dice().seed.hex()
    assert all(seed not in line for line in session.record())
    while not session.is_over:
        take_a_turn(session)
    assert seed in session.record()[-1]


def damaged(name: str) -> str:
    """Return a saved game with something wrong in it."""
    saved = begin().save()
    saved["bots"] = list(saved["bots"])
    match name:
        case "log":
            saved["log"][-1] = [0, 9999]
        case "huge":
            saved["log"].append([2**70, 2**70])
        case "seats":
            saved["bots"] += ["random"] * 9
        case "bot":
            saved["bots"][1] = "nobody"
        case "dice":
            saved["bot_dice"][0] = "six"
        case "wide dice":
            saved["bot_dice"][0] = 2**64
        case "another card":
            saved["log"][0] = [-1, (saved["log"][0][1] + 1) % 3]
        case "dice for another table":
            saved["bot_dice"] = saved["bot_dice"][:1]
        case "settings":
            saved["settings"] = {"weather": "fine"}
        case "another game":
            saved["game"] = "chess"
        case "illegal thought":
            saved["pending"] = ["place", 1, 50]
        case "nobody":
            saved["bots"] = ["random"] * 3
        case _:
            return name
    return json.dumps(saved)


@pytest.mark.parametrize(
    "what",
    [
        *("", "not json", "[]", "{}", "null", "[" * 100_000, "log", "huge", "seats", "bot", "dice"),
        *("wide dice", "dice for another table", "settings", "another game", "illegal thought"),
        *("nobody", "another card"),
    ],
    ids=lambda what: what[:20] or "empty",
)
def test_a_damaged_save_is_reported_and_left_alone(what: str) -> None:
    saved = SavedGame(GAME)
    saved.path.parent.mkdir()
    text = damaged(what)
    saved.path.write_text(text)
    with pytest.raises(Refused) as caught:
        saved.read()
    assert caught.value.key == "play.bad_save"
    assert str(saved.path) in say(caught.value.key, caught.value.params)
    assert saved.path.read_text() == text


@pytest.mark.parametrize("part", ["format", "rules"])
def test_a_save_of_a_newer_cosca_is_reported_and_left_alone(part: str) -> None:
    saved = SavedGame(GAME)
    saved.path.parent.mkdir()
    saved.path.write_text(json.dumps(begin().save() | {part: 99}))
    with pytest.raises(Refused, match="other_save"):
        saved.read()
    assert saved.path.exists()


def test_a_save_that_is_no_text_is_reported() -> None:
    saved = SavedGame(GAME)
    saved.path.parent.mkdir()
    saved.path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Refused, match="bad_save"):
        saved.read()


def test_a_folder_that_cannot_be_written_is_reported(home: Path) -> None:
    home.write_text("a file where the folder should be")
    with pytest.raises(Refused, match="cannot_save"):
        SavedGame(GAME).write(begin())


def test_hidden_hands_stay_hidden_on_the_screen() -> None:
    settings: Settings = begin(hands="hidden").table.settings
    assert settings["hands"] == "hidden"
    session = begin(hands="hidden")
    session.handle_input("3>6")
    players = ["".join(piece.text for piece in line) for line in session.preview().players]
    assert sum("?" in line for line in players) == 2


def test_a_game_saved_by_the_first_release_goes_on_under_format_1(home: Path) -> None:
    old = Path(__file__).parent / "kept" / "0.1.0" / "vendetta.json"
    home.mkdir()
    (home / "vendetta.json").write_bytes(old.read_bytes())
    saved = SavedGame(GAME)
    session = saved.read()
    assert session is not None
    first = json.loads(old.read_text(encoding="utf-8"))
    later = {"goal": "reach"}  # an option that came later, at what the game did before it
    assert session.save() == {**first, "settings": {**first["settings"], **later}}
    while not session.is_over:
        take_a_turn(session)
    saved.write(session)
    with saved.record_path(session).open("rb") as file:
        record = read_record(file)
    verify(record)
    assert record.header["format"] == 1
    assert record.header["entropy"] == {"0": first["entropy"]}


def test_in_a_new_game_nobody_is_said_to_have_added_to_the_dice() -> None:
    header = json.loads(begin().record()[0])
    assert header["format"] == 2
    assert header["contributions"] == [{"is": "silent"}, {"is": "bot"}, {"is": "bot"}]
