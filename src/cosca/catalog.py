"""The catalog: all games, by name."""

from typing import Any, Final

from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.games.omerta.game import GAME as OMERTA
from cosca.games.sicilianos.game import GAME as SICILIANOS
from cosca.games.vendetta.game import GAME as VENDETTA

ALL: Final[tuple[Game[Any, Any], ...]] = (
    VENDETTA,
    OMERTA,
    SICILIANOS,
)
GAMES: Final = {game.name: game for game in ALL}
"""The same games, by name."""


def find(name: str) -> Game[Any, Any]:
    """Return the game with that name, or refuse the name."""
    if name not in GAMES:
        raise Refused("bad_game", game=name, games=", ".join(GAMES))
    return GAMES[name]
