"""The score sheet of a game: one compact line for each move, as in chess, both ways.

A heading says what was agreed; then follow the numbered moves, round by round: who, what, and how
chance answered. The score sheet for one seat has `?` wherever that seat did not know at the time.

The words of a score sheet are part of its notation and the same in every language, like those of a
record; only seats have the names they have at the table. A score sheet can be read whatever
language they are in.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from cosca.catalog import GAMES
from cosca.core.errors import Refused
from cosca.core.events import Event
from cosca.core.game import Game
from cosca.core.names import CHANCE, Action, Seat
from cosca.core.options import HOUSE, Settings
from cosca.match.narration import event_lines
from cosca.match.replay import OMNISCIENT, Ply, Replay, Viewer
from cosca.words import LANGUAGES, say, speaking, spoken

GAME, RULES, EDITION, TABLE, REDACTED = "Game", ", rules ", "Edition", "Table", "Redacted"
SETUP, ROUND, RESULT, CHANCE_NAME = "Setup", "Round", "Result", "chance"
HIDDEN: Final = "?"
LABEL: Final = 10
"""Columns for the label of a line of the heading."""
MOVE: Final = 14
"""Columns for a seat's actions, so that the answers of chance line up."""
WIDTH: Final = 80
MOST_WORDS: Final = 8
"""The most words of one action in any notation."""
NUMBERED: Final = re.compile(r" *(\d{1,6})\. +(.*)")


def seat_name(game: Game[Any, Any], seat: Seat) -> str:
    """Return the name of a seat in this game; chance has one too."""
    return CHANCE_NAME if seat == CHANCE else say(f"{game.name}.seat.{seat}", {})


# --- Writing -------------------------------------------------------------------------------------


def format_score_sheet(
    replay: Replay, viewer: Viewer = OMNISCIENT, until: int | None = None
) -> str:
    """Return the score sheet of a game, or of its first plies; with the result if it is over."""
    until = len(replay.plies) if until is None else until
    lines = [*format_heading(replay, viewer), *format_plies(replay, viewer, 0, until)]
    if replay.is_over(until):
        lines += format_result(replay)
    return "\n".join([*lines, ""])


def format_heading(replay: Replay, viewer: Viewer) -> Iterator[str]:
    """Return the lines about the settings, the players and the viewer."""
    game = replay.game
    yield _labelled(GAME, f"{game.title}{RULES}{game.version}")
    yield _labelled(EDITION, " ".join(_edition(game, replay.settings)))
    yield _labelled(TABLE, quote_unsafe(replay.table))
    if viewer is not OMNISCIENT:
        yield _labelled(REDACTED, f"to what {seat_name(game, viewer)} knew at the time")
    for seat, player in enumerate(replay.players):
        yield _labelled(seat_name(game, seat), quote_unsafe(player))


def _edition(game: Game[Any, Any], settings: Settings) -> Iterator[str]:
    """Return the edition, and the options that differ from it."""
    edition = game.edition_of(settings)
    usual = game.settings("" if edition == HOUSE else edition)
    yield edition
    for key, value in settings.items():
        if value != usual[key]:
            yield f"{key}={value}"


def format_plies(replay: Replay, viewer: Viewer, since: int, until: int) -> Iterator[str]:
    """Return the lines for some of the plies, with a heading where a round begins."""
    for ply in replay.plies[since:until]:
        if ply.number == 1 or ply.round != replay.plies[ply.number - 2].round:
            yield ""
            yield f"{ROUND} {ply.round}" if ply.round else SETUP
        yield from format_ply(replay, ply, viewer)


def format_ply(replay: Replay, ply: Ply, viewer: Viewer, width: int = WIDTH) -> list[str]:
    """Return the lines of one ply: number, seat, actions, and how chance answered."""
    names = [seat_name(replay.game, seat) for seat in (CHANCE, *range(replay.seats))]
    name = _mover(replay, ply, viewer)
    did = " ".join(
        _does(step.does, step.is_known_to(viewer)) for step in ply.steps if step.seat >= 0
    )
    line = f"{ply.number:>4}. {name:<{max(map(len, names))}}  {did:<{MOVE}} "
    indent = " " * len(line)
    lines = [line]
    for step in ply.steps:
        if step.seat == CHANCE:
            does = "  " + _does(step.does, step.is_known_to(viewer))
            if len(lines[-1] + does) > width and lines[-1] not in (line, indent):
                lines.append(indent)
            lines[-1] += does
    return [line.rstrip() for line in lines]


def describe_events(replay: Replay, ply: Ply, viewer: Viewer) -> list[str]:
    """Return what a viewer saw happen in a ply, a line for each kind of event."""
    return event_lines(ply.events_for(viewer), lambda event: _sentence(replay, event, viewer))


def describe_moment(replay: Replay, ply: Ply, seat: Seat) -> str:
    """Return in a line what a ply meant for a seat: its main event with the reason behind it.

    That is the last one with a reason that concerns the seat, or the last one that has a sentence.
    """
    happened = [event for event in ply.events_for(OMNISCIENT) if say(event.key, event.params)]
    explained = [event for event in happened if event.reason is not None]
    own = [event for event in explained if event.params.get("seat") == seat]
    main = (own or explained or happened)[-1:]
    lines = event_lines(main, lambda event: say(event.key, event.params))
    return lines[0] if lines else ""


def _sentence(replay: Replay, event: Event, viewer: Viewer) -> str:
    """Return the sentence of an event; an omniscient viewer also reads who knew it."""
    text = say(event.key, event.params)
    if event.audience is None or viewer is not OMNISCIENT or not text:
        return text
    if not event.audience:
        return say("replay.unseen", {"text": text})
    names = ", ".join(seat_name(replay.game, seat) for seat in sorted(event.audience))
    return say("replay.secret", {"text": text, "names": names})


def _does(notation: str, is_known: bool) -> str:
    return notation if is_known else HIDDEN


def _mover(replay: Replay, ply: Ply, viewer: Viewer) -> str:
    """Return whose move it is if the viewer could tell: not where several act in secret."""
    first = ply.steps[0]
    if (
        viewer is OMNISCIENT
        or viewer == first.seat
        or any(event.is_for(viewer) for event in first.events)
    ):
        return seat_name(replay.game, first.seat)
    expected = replay.position(ply.number - 1, viewer).actors
    return seat_name(replay.game, first.seat) if expected == (first.seat,) else HIDDEN


def format_result(replay: Replay) -> Iterator[str]:
    """Return the lines about why the game ended and who won."""
    names = ", ".join(seat_name(replay.game, seat) for seat in replay.winners)
    yield ""
    yield _labelled(RESULT, f"{replay.reason}: {names}")


def _labelled(label: str, text: str) -> str:
    return f"{label:<{LABEL - 1}} {text}".rstrip()


def quote_unsafe(text: str) -> str:
    """Return a name as it is, or as JSON if it would not survive parsing or could do harm."""
    is_plain = text.isprintable() and " ".join(text.split()) == text and text[:1] not in ("", '"')
    return text if is_plain else json.dumps(text)


# --- Reading -------------------------------------------------------------------------------------


def parse_score_sheet(text: str) -> Replay:
    """Return the game of a score sheet. Refuses one that is redacted or inconsistent."""
    lines = text.splitlines()
    agreed = lines[: lines.index("")] if "" in lines else lines
    with speaking(_language(agreed)):
        replay = _read_heading(agreed)
        for number, line in enumerate(lines[len(agreed) :], start=len(agreed) + 1):
            _read_line(replay, line, number)
        _check(text, format_score_sheet(replay))
    return replay


def _language(lines: Sequence[str]) -> str:
    """Return the language in which the heading names the first seat, or the current one."""
    if len(lines) < 4:
        return spoken()
    keys = [f"{game.name}.seat.0" for game in GAMES.values() if game.title in lines[0]]
    for language in (spoken(), *LANGUAGES):
        if any(f"{lines[3]} ".startswith(f"{say(key, {}, language)} ") for key in keys):
            return language
    return spoken()


def _check(text: str, again: str) -> None:
    """Refuse a score sheet that differs from how it would be written; blanks do not matter."""
    lines, right = text.splitlines(), again.splitlines()
    if text.split() == again.split():
        return
    same = 0
    while same < min(len(lines), len(right)) and lines[same].split() == right[same].split():
        same += 1
    raise Refused("replay.bad_score", line=same + 1)


def _read_heading(lines: Sequence[str]) -> Replay:
    """Return a replay of no moves yet, from the lines of a heading."""
    if len(lines) < 4:
        raise Refused("replay.bad_score", line=len(lines) + 1)
    if lines[3].startswith(REDACTED):
        raise Refused("replay.redacted_score")
    game = _read_game(_labelled_text(lines, 0, GAME).partition(RULES)[0])
    edition, *changes = _labelled_text(lines, 1, EDITION).split() or [""]
    try:
        settings = game.settings(
            "" if edition == HOUSE else edition,
            {key: value for key, _, value in (change.partition("=") for change in changes)},
        )
        table = _read_plain(_labelled_text(lines, 2, TABLE))
        players = [
            _read_plain(_labelled_text(lines, 3 + seat, seat_name(game, seat)))
            for seat in range(min(len(lines) - 3, game.seats[-1]))
        ]
        return Replay(game, settings, players, table)
    except json.JSONDecodeError:
        raise Refused("replay.bad_score", line=1) from None


def _labelled_text(lines: Sequence[str], number: int, label: str) -> str:
    """Return the text of a heading line with this label."""
    if not f"{lines[number]} ".startswith(f"{label} "):
        raise Refused("replay.bad_score", line=number + 1)
    return lines[number][len(label) :].strip()


def _read_game(title: str) -> Game[Any, Any]:
    for game in GAMES.values():
        if game.title == title:
            return game
    raise Refused("replay.bad_score", line=1)


def _read_plain(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text


def _read_line(replay: Replay, line: str, number: int) -> None:
    """Read one line below the heading. Headings and the result are checked at the end."""
    if line.startswith((ROUND, SETUP, RESULT)):
        return
    numbered = NUMBERED.fullmatch(line)
    words = (numbered[2] if numbered else line).split()
    if numbered:
        mover, words = _read_mover(replay, words, number)
    elif words and not replay.plies:
        raise Refused("replay.bad_score", line=number)
    else:
        mover = CHANCE  # only answers of chance continue on the next line
    while words:
        seat = CHANCE if replay.state.actors() == (CHANCE,) else mover
        action, words = _read_action(replay, seat, words, number)
        replay.apply(seat, action)


def _read_mover(replay: Replay, words: list[str], number: int) -> tuple[Seat, list[str]]:
    for seat in (CHANCE, *range(replay.seats)):
        name = seat_name(replay.game, seat).split()
        if words[: len(name)] == name:
            return seat, words[len(name) :]
    raise Refused("replay.bad_score", line=number)


def _read_action(
    replay: Replay, seat: Seat, words: list[str], number: int
) -> tuple[Action, list[str]]:
    """Return the legal action of the next words, the longest that fits, and the remaining words."""
    for count in range(min(len(words), MOST_WORDS), 0, -1):
        notation = " ".join(words[:count])
        try:
            action = replay.game.parse_action(replay.state, notation)
        except (Refused, LookupError, TypeError, ValueError, AttributeError):
            continue
        if (
            replay.is_legal(seat, action)
            and replay.game.format_action(replay.state, action) == notation
        ):
            return action, words[count:]
    raise Refused("replay.bad_score", line=number)
