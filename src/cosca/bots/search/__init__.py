"""Information-set tree search for all games, from a position, in sampled worlds."""
