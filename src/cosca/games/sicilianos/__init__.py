"""Sicilianos: six families, wars in the open with hidden cards, and money to be laundered."""
