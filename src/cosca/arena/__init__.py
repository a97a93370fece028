"""Many matches: simulations, leagues, ratings."""
