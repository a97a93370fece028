"""Describe the games and everything a host may choose, in the language of the request."""

from typing import Any, Final

from cosca.bots.characters import CHARACTERS
from cosca.bots.roster import (
    STRENGTHS,
    default_bot,
    description_key,
    plain_bots,
    strength_key,
)
from cosca.core.game import Game
from cosca.core.options import Option, Settings
from cosca.match.primer_text import (
    primer_heading,
    primer_sections,
    primer_table,
    primer_title,
)
from cosca.match.typed_moves import list_examples
from cosca.server import wire
from cosca.words import say, sentences

MOST_VALUES: Final = 20
"""Values of an option that are listed; a number from a longer range is typed."""


def game_info(game: Game[Any, Any]) -> wire.GameInfo:
    """Describe a game for the first page."""
    return wire.GameInfo(
        name=game.name,
        title=game.title,
        tagline=say(f"{game.name}.about.tagline", {}),
        minutes=say(f"{game.name}.about.minutes", {}),
        min_seats=game.seats[0],
        max_seats=game.seats[-1],
        default_seats=game.default_seats,
        editions={
            name: {key: str(value) for key, value in game.settings(name).items()}
            for name in game.editions
        },
        options=[_option_info(game, option) for option in game.options],
        bots=[_bot_info(game, bot) for bot in (*CHARACTERS, *plain_bots(game))],
        default_bot=default_bot(game),
        strengths=[
            wire.Strength(
                name=name,
                title=say(f"strength.{name}.name", {}),
                text=say(f"strength.{name}.text", {}),
                bots=list(bots),
            )
            for name, bots in STRENGTHS.items()
        ],
        example=list_examples(game),
    )


def primer_info(game: Game[Any, Any], settings: Settings, seats: int) -> wire.Primer:
    """Return the rules on one page for a table with these settings."""
    return wire.Primer(
        title=primer_title(game),
        table=primer_table(game, settings, seats),
        sections=[
            wire.PrimerSection(
                name=name,
                heading=primer_heading(name),
                lines=[wire.PrimerLine(text=line.text, rules=line.rules) for line in lines],
            )
            for name, lines in primer_sections(game, settings, seats).items()
        ],
    )


def _option_info(game: Game[Any, Any], option: Option) -> wire.OptionInfo:
    """Describe an option; of a long range, only its ends."""
    values = option.values
    is_long = isinstance(values, range) and len(values) > MOST_VALUES
    return wire.OptionInfo(
        key=option.key,
        text=say(f"{game.name}.option.{option.key}.name", {}),
        values={}
        if is_long
        else {str(value): _value_text(game, option.key, value) for value in values},
        range=[int(values[0]), int(values[-1])] if is_long else [],
        default=str(option.default),
    )


def _bot_info(game: Game[Any, Any], name: str) -> wire.BotInfo:
    character = CHARACTERS.get(name)
    level = character.level if character else 0
    text = f"{say(description_key(game, name), {})} {say(strength_key(game, name), {})}"
    return wire.BotInfo(name=name, text=text, level=level)


def _value_text(game: Game[Any, Any], key: str, value: int | str) -> str:
    """Return what a value of an option means; numbers stand for themselves."""
    return sentences().get(f"{game.name}.option.{key}.{value}", str(value))
