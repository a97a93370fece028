"""The published test kit: laws that every game keeps, and golden stories.

A game provides a `Case` (case.py) with what its rulebook says, so that the laws need not ask its
own code. A walk (walks.py; strategies.py for Hypothesis) is a random game. Each law (laws.py,
table_laws.py, secrecy.py) is a function of a case and a walk that raises AssertionError with a
sentence when the game breaks it.
"""
