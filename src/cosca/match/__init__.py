"""One table in progress, without input or output: dice and moves are arguments."""
