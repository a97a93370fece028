"""One search for all games: it thinks from a position, in worlds that may be the truth."""
