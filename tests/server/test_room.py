"""A room: who may do what and when, and that it follows from its log."""

from functools import cache
from random import Random

import msgspec
import pytest

from cosca.bots.roster import default_bot
from cosca.catalog import ALL, find
from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR
from cosca.games.vendetta.actions import place
from cosca.games.vendetta.pieces import DONE
from cosca.match.sealed import commit
from cosca.server.domain import commands, log_entries
from cosca.server.domain.chat import ChatMessage
from cosca.server.domain.identifiers import hashed
from cosca.server.domain.judge import Judge
from cosca.server.domain.log_entries import LogEntry, decode_entry, encode_entry
from cosca.server.domain.opening import NewTable, next_code, next_opening, next_seats, opening
from cosca.server.domain.room import Room, room_from_log
from tests.server.contributions import dealt
from tests.server.schedules import fingerprint

ADA, BO, CY = (hashed(name) for name in ("Ada", "Bo", "Cy"))
KEYS = {ADA: hashed("link of Ada"), BO: hashed("link of Bo")}
NOBODY: tuple[int, ...] = ()
STAGES = ("lobby", "sealing", "playing", "over")


class LoggedTable:
    """A log, and the room that follows from it."""

    def __init__(self, game: str = "vendetta", seats: tuple[str, ...] = ("you", "open", "random")):
        wanted = NewTable(game=game, seats=list(seats), name="Ada")
        self.log: list[LogEntry] = [
            opening(find(game), wanted, code="abcdefgh", host=ADA, seed=bytes(32), at=0)
        ]
        self.room = room_from_log(self.log)

    def add(self, *more: LogEntry) -> "LoggedTable":
        """Append entries and apply them."""
        for entry in more:
            self.room.apply(entry)
            self.log.append(entry)
        return self

    def sit(self, owner: str, name: str) -> "LoggedTable":
        """Let somebody take a seat."""
        return self.add(Judge(self.room).sit_down(owner, name, KEYS.get(owner, ""), 0))

    def grant(
        self, owner: str, command: commands.Command, present: tuple[int, ...] = NOBODY
    ) -> LogEntry:
        """Send a command that must be granted."""
        entry = Judge(self.room).command(owner, command, present, 0)
        self.add(entry)
        return entry

    def why_not(
        self, owner: str, command: commands.Command, present: tuple[int, ...] = NOBODY
    ) -> str:
        """Return why a command is refused, and check that this changes nothing."""
        before = fingerprint(self.room)
        with pytest.raises(Refused) as refused:
            Judge(self.room).command(owner, command, present, 0)
        assert fingerprint(self.room) == before
        return refused.value.key


@cache
def whole_game(game: str) -> list[LogEntry]:
    """Return all moves of a game at such a table."""
    room = at("playing", game).room
    rng = Random(1)
    moves: list[LogEntry] = []
    while room.stage == "playing":
        seat = rng.choice(room.actors())
        action = rng.choice(room.position(seat).legal)
        moves.append(log_entries.Moved(at=0, seat=seat, actions=[action]))
        room.apply(moves[-1], trusted=True)
    return moves


def at(stage: str, game: str = "vendetta") -> LoggedTable:
    """Return a table of Ada, who is the host, Bo and a bot, in a stage."""
    table = LoggedTable(game).sit(ADA, "Ada").sit(BO, "Bo")
    if stage != "lobby":
        table.grant(ADA, start())
    if stage in ("playing", "over"):
        table.add(*dealt())
    if stage == "over":
        table.add(*whole_game(game))
    assert table.room.stage == stage
    return table


def start() -> commands.Start:
    return commands.Start(id="1")


def fill(seat: int, bot: str = "random") -> commands.Fill:
    return commands.Fill(id="1", seat=seat, bot=bot)


def remove(seat: int) -> commands.Remove:
    return commands.Remove(id="1", seat=seat)


def commitment(seat: int = 1, text: bytes = b"b") -> commands.Commit:
    seal = LoggedTable().room.deal.contributions.seal
    return commands.Commit(id="1", commitment=commit("abcdefgh", seal, seat, text * 16))


def reveal(text: bytes = b"b") -> commands.Reveal:
    return commands.Reveal(id="1", contribution=(text * 16).hex())


def chat(text: str) -> commands.Chat:
    return commands.Chat(id="1", text=text)


LEAVE, BACK, REMATCH = (
    commands.Leave(id="1"),
    commands.ReclaimSeat(id="1"),
    commands.Rematch(id="1"),
)


# --- Sitting down -------------------------------------------------------------------------------


def test_a_person_gets_the_first_open_seat_or_the_one_they_choose() -> None:
    table = LoggedTable("vendetta", ("open", "random", "open"))
    assert Judge(table.room).sit_down(BO, "Bo", "", 0).seat == 0
    assert Judge(table.room).sit_down(BO, "Bo", "", 0, seat=2).seat == 2


@pytest.mark.parametrize(
    ("owner", "seat", "key"),
    [(ADA, None, "web.seated"), (CY, 0, "web.seat_taken"), (CY, 2, "web.seat_taken")],
)
def test_a_seat_is_for_one_person_and_a_person_has_one_seat(
    owner: str, seat: int | None, key: str
) -> None:
    table = LoggedTable().sit(ADA, "Ada")
    with pytest.raises(Refused, match=key):
        Judge(table.room).sit_down(owner, "Cy", "", 0, seat)


def test_nobody_sits_down_at_a_full_table_or_in_a_game() -> None:
    with pytest.raises(Refused, match=r"web\.full"):
        Judge(at("lobby").room).sit_down(CY, "Cy", "", 0)
    for stage in STAGES[1:]:
        with pytest.raises(Refused, match=r"web\.begun"):
            Judge(at(stage).room).sit_down(CY, "Cy", "", 0)


def test_a_name_is_one_readable_line() -> None:
    table = LoggedTable()
    assert (
        Judge(table.room).sit_down(BO, " B\no\u202e  x" + "y" * 40, "", 0).name
        == "B o x" + "y" * 19
    )
    with pytest.raises(Refused, match=r"web\.empty_name"):
        Judge(table.room).sit_down(BO, "\n\u200b ", "", 0)


@pytest.mark.parametrize("stage", STAGES)
def test_the_link_of_a_seat_leads_back_to_it_at_any_time(stage: str) -> None:
    table = at(stage)
    table.add(Judge(table.room).claim(CY, KEYS[BO], 0))
    assert table.room.seats.of(CY) == table.room.seats.of(BO) == 1
    with pytest.raises(Refused, match=r"web\.seated"):
        Judge(table.room).claim(ADA, KEYS[BO], 0)
    with pytest.raises(Refused, match=r"web\.bad_link"):
        Judge(table.room).claim(CY, hashed("a guess"), 0)
    with pytest.raises(Refused, match=r"web\.bad_link"):
        Judge(table.room).claim(CY, "", 0)


def test_the_host_is_the_host_on_every_device() -> None:
    table = at("lobby")
    assert not table.room.seats.is_host(CY)
    table.add(Judge(table.room).claim(CY, KEYS[ADA], 0))
    assert table.room.seats.is_host(CY)
    table.grant(CY, start())


# --- Who may do what ----------------------------------------------------------------------------


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize(
    "command", [start(), fill(1), remove(1), REMATCH], ids=lambda c: type(c).__name__
)
def test_only_the_host_arranges_the_table(stage: str, command: commands.Command) -> None:
    assert at(stage).why_not(BO, command) == "web.only_host"
    assert at(stage).why_not(CY, command) == "web.only_host"


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize(
    "command",
    [chat("hello"), commitment(), reveal(), BACK, LEAVE, commands.Move(id="1", actions=[0])],
    ids=lambda c: type(c).__name__,
)
def test_spectators_can_only_watch(stage: str, command: commands.Command) -> None:
    table = at(stage)
    assert table.why_not(CY, command) == "web.spectator"
    assert table.why_not("", command) == "web.spectator"


@pytest.mark.parametrize("stage", STAGES)
def test_everybody_at_the_table_may_chat_at_any_time(stage: str) -> None:
    table = at(stage)
    table.grant(BO, chat("  one\n two "))
    assert table.room.chat.messages == [ChatMessage(1, "Bo", "one two")]
    assert table.why_not(BO, chat("\n\u200b")) == "web.empty"


def test_a_game_begins_once_and_bots_take_the_open_seats() -> None:
    table = LoggedTable("vendetta", ("you", "open", "open")).sit(ADA, "Ada")
    table.grant(ADA, start())
    assert table.room.stage == "sealing"
    assert [chair.kind for chair in table.room.seats] == ["person", "bot", "bot"]
    assert table.why_not(ADA, start()) == "web.begun"
    for stage in STAGES[1:]:
        assert at(stage).why_not(ADA, start()) == "web.begun"


def test_the_cards_are_dealt_once_and_after_the_commitments_are_closed() -> None:
    table = at("sealing")
    with pytest.raises(Refused, match=r"web\.dealt"):
        Judge(table.room).deal(7)
    table.add(Judge(table.room).close_commitments(6))
    with pytest.raises(Refused, match=r"web\.not_committing"):
        Judge(table.room).close_commitments(6)
    assert Judge(table.room).deal(7) == log_entries.Dealt(at=7)
    for stage in ("lobby", "playing", "over"):
        with pytest.raises(Refused, match=r"web\.dealt"):
            Judge(at(stage).room).deal(7)


def test_the_host_gives_open_seats_to_bots_and_changes_them_before_the_game() -> None:
    table = LoggedTable().sit(ADA, "Ada")
    table.grant(ADA, fill(1, "soldato"))
    table.grant(ADA, fill(1, "random"))
    assert table.room.seats[1].bot == table.room.seats[1].name == "random"
    assert table.why_not(ADA, fill(1, "nobody")) == "bad_bot"
    assert table.why_not(ADA, fill(3)) == "bad_seat"
    assert at("lobby").why_not(ADA, fill(1)) == "web.still_here"
    assert at("over").why_not(ADA, fill(1)) == "game_over"


@pytest.mark.parametrize("stage", ["sealing", "playing"])
def test_a_bot_plays_for_an_absent_person_until_they_take_the_seat_back(stage: str) -> None:
    table = at(stage)
    assert table.why_not(ADA, fill(1), present=(0, 1)) == "web.still_here"
    assert table.why_not(ADA, fill(2)) == "web.bot_has_it"
    assert table.why_not(BO, BACK) == "web.is_yours"
    table.grant(ADA, fill(1), present=(0,))
    assert (table.room.seats[1].name, table.room.seats[1].kind) == ("Bo", "person")
    assert table.why_not(BO, LEAVE) == "web.bot_plays"
    table.grant(BO, BACK)
    assert table.room.seats[1].bot == ""


def test_only_the_person_or_bot_that_plays_a_seat_moves() -> None:
    table = at("playing")
    (seat,) = table.room.actors()
    owner = (ADA, BO)[seat]
    move = commands.Move(id="1", actions=[table.room.position(seat).legal[0]])
    with pytest.raises(Refused, match=r"web\.person_plays"):
        Judge(table.room).move(seat, move.actions, 0, "soldato")
    table.grant(owner, LEAVE)
    assert table.why_not(owner, move) == "web.bot_plays"
    table.grant(owner, BACK)
    table.grant(owner, move)


def test_steps_chosen_in_another_order_are_written_in_the_order_of_the_rules() -> None:
    table = at("playing")
    table.add(
        log_entries.Moved(at=0, seat=table.room.actors()[0], actions=[DONE])
    )  # who has one district
    (seat,) = table.room.actors()
    far, near = place(13, 2), place(12, 3)
    entry = Judge(table.room).move(seat, [far, near], 0, table.room.seats[seat].bot)
    assert entry.actions == [near, far]
    table.add(entry)
    with pytest.raises(Refused):  # a log has them in order
        room_from_log([*table.log[:-1], log_entries.Moved(at=0, seat=seat, actions=[far, near])])


def test_nobody_moves_before_the_game_nor_after_it_nor_out_of_turn() -> None:
    move = commands.Move(id="1", actions=[0])
    assert at("lobby").why_not(ADA, move) == "web.not_begun"
    assert at("sealing").why_not(ADA, move) == "web.not_begun"
    assert at("over").why_not(ADA, move) == "game_over"
    table = at("playing")
    (seat,) = table.room.actors()
    action = table.room.position(seat).legal[0]
    other = (BO, ADA)[seat]
    assert table.why_not(other, commands.Move(id="1", actions=[action])) == "not_your_turn"


def test_leaving_opens_the_seat_before_the_game_and_gives_it_to_a_bot_later() -> None:
    table = at("lobby")
    table.grant(BO, LEAVE)
    assert table.room.seats[1].is_open
    assert table.room.seats.of(BO) == SPECTATOR
    for stage in ("sealing", "playing"):
        table = at(stage)
        table.grant(BO, LEAVE)
        assert table.room.seats[1].bot == default_bot(table.room.game)
        assert table.room.seats.of(BO) == 1
    assert at("over").why_not(BO, LEAVE) == "game_over"


def test_the_host_removes_people_but_not_themselves() -> None:
    table = at("lobby")
    table.grant(ADA, remove(1))
    assert table.room.seats[1].is_open
    assert table.why_not(ADA, remove(1)) == "web.nobody_there"
    table.grant(ADA, remove(2))
    assert table.room.seats[2].is_open
    for stage in ("sealing", "playing"):
        table = at(stage)
        table.grant(ADA, remove(1))
        assert table.room.seats[1].kind == "bot"
        assert table.room.seats.of(BO) == SPECTATOR
        assert table.why_not(ADA, remove(1)) == "web.nobody_there"
        with pytest.raises(Refused, match=r"web\.bad_link"):
            Judge(table.room).claim(BO, KEYS[BO], 0)
    for stage in STAGES:
        assert at(stage).why_not(ADA, remove(0)) == "web.not_yourself"
    assert at("over").why_not(ADA, remove(1)) == "game_over"
    assert at("playing").why_not(ADA, remove(9)) == "bad_seat"


def test_the_dice_stay_sealed_when_somebody_is_removed() -> None:
    one, other = at("sealing"), at("sealing")
    for table in (one, other):
        table.grant(BO, commitment())
        table.add(log_entries.CommitmentsClosed(at=0))
        table.grant(BO, reveal())
    one.grant(ADA, remove(1))
    for table in (one, other):
        table.add(log_entries.Dealt(at=0))
    assert one.room.playing().log == other.room.playing().log


def test_a_finished_game_has_one_rematch() -> None:
    for stage in STAGES[:3]:
        assert at(stage).why_not(ADA, REMATCH) == "web.not_over"
    table = at("over")
    table.grant(ADA, REMATCH)
    assert table.room.rematch == next_code(table.room) != table.room.code
    assert table.why_not(ADA, REMATCH) == "web.goes_on"
    again = room_from_log([next_opening(table.room, bytes(32), 0), *next_seats(table.room, 0)])
    assert again.code == table.room.rematch
    assert [again.seats.of(owner) for owner in (ADA, BO, CY)] == [0, 1, SPECTATOR]
    assert again.seats.is_host(ADA)
    assert [chair.kind for chair in again.seats] == ["person", "person", "bot"]


def test_a_question_is_not_a_command_of_the_judge() -> None:
    assert at("playing").why_not(ADA, commands.Hint(id="1")) == "web.not_a_command"


# --- The log ------------------------------------------------------------------------------------


def story(game: str, seed: int) -> LoggedTable:
    """Return a table with a long and varied log."""
    table = at("lobby", game)
    table.grant(ADA, chat("shall we?"))
    table.grant(ADA, start())
    table.grant(BO, commitment())
    table.add(log_entries.CommitmentsClosed(at=0))
    table.grant(BO, reveal())
    table.add(log_entries.Dealt(at=0))
    table.grant(ADA, fill(1))
    rng = Random(seed)
    for _ in range(12):
        seat = rng.choice(table.room.actors())
        action = rng.choice(table.room.position(seat).legal)
        table.add(log_entries.Moved(at=0, seat=seat, actions=[action]))
    table.grant(BO, BACK)
    table.grant(BO, chat("here I am"))
    return table


@pytest.mark.parametrize("game", [game.name for game in ALL])
def test_a_log_written_and_read_again_gives_the_same_room(game: str) -> None:
    table = story(game, 1)
    again = [decode_entry(encode_entry(entry)) for entry in table.log]
    assert again == table.log
    assert fingerprint(room_from_log(again)) == fingerprint(table.room)


def altered(log: list[LogEntry], rng: Random) -> list[LogEntry]:
    """Yield logs with an entry missing, repeated, or in the wrong order."""
    number = rng.randrange(len(log))
    kind = rng.randrange(3)
    if kind == 0:
        return log[:number] + log[number + 1 :]
    if kind == 1:
        return [*log[:number], log[number], *log[number:]]
    return log[:number] + log[number : number + 2][::-1] + log[number + 2 :]


@pytest.mark.parametrize("game", [game.name for game in ALL])
def test_an_altered_log_is_refused_or_still_a_possible_log(game: str) -> None:
    rng = Random(2)
    refused = 0
    for seed in range(20):
        log = story(game, seed).log
        for _ in range(5):
            try:
                room = room_from_log(altered(log, rng))
            except Refused:
                refused += 1
            else:  # for example a repeated chat: each of its entries is possible there
                assert room.length >= len(log) - 1
    assert refused > 30


BAD_ENTRIES: list[tuple[str, LogEntry]] = [
    ("lobby", log_entries.Dealt(at=0)),
    ("lobby", log_entries.Moved(at=0, seat=0, actions=[0])),
    ("lobby", log_entries.Sat(at=0, seat=0, name="Cy", owner=CY, key="")),
    ("lobby", log_entries.Sat(at=0, seat=-1, name="Cy", owner=CY, key="")),
    ("lobby", log_entries.Sat(at=0, seat=9, name="Cy", owner=CY, key="")),
    ("lobby", log_entries.Claimed(at=0, seat=2, owner=CY)),
    ("lobby", log_entries.Expelled(at=0, seat=1, bot="random")),
    ("lobby", log_entries.Continued(at=0, code="abcdefgh")),
    ("lobby", log_entries.TakenBack(at=0, seat=1)),
    ("sealing", log_entries.Started(at=0, bot="random")),
    ("sealing", log_entries.Freed(at=0, seat=1)),
    ("playing", log_entries.Dealt(at=0)),
    ("playing", log_entries.Stirred(at=0, seat=1, entropy="ab" * 16)),
    ("sealing", log_entries.Stirred(at=0, seat=1, entropy="ab" * 16)),
    ("sealing", log_entries.Dealt(at=0)),
    ("sealing", log_entries.Revealed(at=0, seat=1, contribution="ab" * 16)),
    ("sealing", log_entries.Committed(at=0, seat=2, commitment="ab" * 32)),
    ("lobby", log_entries.Committed(at=0, seat=1, commitment="ab" * 32)),
    ("lobby", log_entries.CommitmentsClosed(at=0)),
    ("playing", log_entries.CommitmentsClosed(at=0)),
    ("playing", log_entries.Revealed(at=0, seat=1, contribution="ab" * 16)),
    ("playing", log_entries.Sat(at=0, seat=1, name="Cy", owner=CY, key="")),
    ("playing", log_entries.Moved(at=0, seat=2, actions=[0])),
    ("playing", log_entries.Moved(at=0, seat=-1, actions=[0])),
    ("playing", log_entries.Moved(at=0, seat=0, actions=[999])),
    ("playing", log_entries.Spoken(at=0, seat=2, text="I am a bot")),
    ("playing", log_entries.Continued(at=0, code="abcdefgh")),
    ("over", log_entries.Moved(at=0, seat=0, actions=[0])),
    ("over", log_entries.Filled(at=0, seat=1, bot="random")),
    ("over", log_entries.Expelled(at=0, seat=1, bot="random")),
]


@pytest.mark.parametrize(("stage", "entry"), BAD_ENTRIES, ids=lambda part: str(part)[:30])
def test_an_impossible_entry_is_refused(stage: str, entry: LogEntry) -> None:
    table = at(stage)
    before = fingerprint(table.room)
    with pytest.raises(Refused):
        table.room.apply(entry)
    assert fingerprint(table.room) == before


def test_a_log_without_its_beginning_or_with_two_is_refused() -> None:
    table = at("lobby")
    for log in ([], table.log[1:], [table.log[0], *table.log]):
        with pytest.raises(Refused, match="bad_log"):
            room_from_log(log)


@pytest.mark.parametrize("change", [{"rules": 99}, {"format": 99}])
def test_a_table_of_other_rules_is_refused(change: dict[str, int]) -> None:
    opened = at("lobby").log[0]
    assert isinstance(opened, log_entries.Opened)
    with pytest.raises(Refused, match=r"web\.other_version"):
        Room(msgspec.structs.replace(opened, **change))
