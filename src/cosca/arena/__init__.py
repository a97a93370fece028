"""Many games among bots: simulations, contests, ratings and reports."""
