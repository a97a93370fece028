"""The published test kit: laws that every game keeps, and golden stories.

A game brings a `Case` (case.py): what its rulebook says and its code must not be asked. Walks
(walks.py, for Hypothesis strategies.py) are games played at random; each law (laws.py, table_laws.py,
secrecy.py) is a function of a case and a walk that raises AssertionError with a sentence.
"""
