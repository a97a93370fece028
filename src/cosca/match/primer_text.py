"""The primer of a game in words, for one table's settings."""

from typing import Any, NamedTuple

from cosca.core.game import Game
from cosca.core.options import Settings
from cosca.words import say, sentences


class PrimerText(NamedTuple):
    """A sentence or two of a primer, with the ids of the rules it sums up."""

    text: str
    rules: list[str]


def primer_title(game: Game[Any, Any]) -> str:
    """Return the heading of a primer."""
    return say("primer.title", {"title": game.title})


def primer_table(game: Game[Any, Any], settings: Settings, seats: int) -> str:
    """Return which table a primer is for: the edition and the number of players."""
    name = game.edition_of(settings)
    edition = sentences().get(f"primer.edition.{name}", name)
    return say("primer.for", {"edition": edition, "seats": seats})


def primer_sections(
    game: Game[Any, Any], settings: Settings, seats: int
) -> dict[str, list[PrimerText]]:
    """Return the sentences that apply at a table, by the name of their section."""
    params = {**settings, **game.primer_facts(settings, seats), "seats": seats}
    return {
        section.name: [
            PrimerText(say(f"{game.name}.primer.{line.key}", params), list(line.rules))
            for line in section.lines
            if line.applies(settings)
        ]
        for section in game.primer
    }


def primer_heading(section: str) -> str:
    """Return the heading of a section."""
    return say(f"primer.{section}", {})


def primer_markdown(game: Game[Any, Any], settings: Settings, seats: int) -> str:
    """Return a whole primer as Markdown, with the ids of the rules after each sentence."""
    parts = [f"# {primer_title(game)}", primer_table(game, settings, seats)]
    for name, lines in primer_sections(game, settings, seats).items():
        parts.append(f"## {primer_heading(name)}")
        parts.append("\n".join(f"- {line.text} ({', '.join(line.rules)})" for line in lines))
    return "\n\n".join(parts) + "\n"
