"""A table in progress, without input or output: dice and moves come in as arguments."""
