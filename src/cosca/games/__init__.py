"""The rules of each game, pure: no clock, no chance of their own, no input and no output."""
