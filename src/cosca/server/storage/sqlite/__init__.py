"""The store in one SQLite file. All SQL stands here."""
