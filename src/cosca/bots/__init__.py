"""Bots: each is a function from a position, and dice, to an action. None can see the table."""
