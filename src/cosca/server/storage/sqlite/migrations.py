"""The steps that create the SQLite schema and bring an older file up to date."""

import sqlite3
from typing import Final

MIGRATIONS: Final = (
    """
    CREATE TABLE tables (
        code TEXT PRIMARY KEY, game TEXT NOT NULL, stage TEXT NOT NULL, touched INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX tables_by_stage ON tables (stage, touched);
    CREATE TABLE lines (
        code TEXT NOT NULL, seq INTEGER NOT NULL,
        command TEXT NOT NULL, digest TEXT NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (code, seq), UNIQUE (code, command)
    ) WITHOUT ROWID;
    CREATE TABLE refusals (
        code TEXT NOT NULL, command TEXT NOT NULL, digest TEXT NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (code, command)
    ) WITHOUT ROWID;
    CREATE TABLE owners (
        owner TEXT NOT NULL, code TEXT NOT NULL, PRIMARY KEY (owner, code)
    ) WITHOUT ROWID;
    """,
    # From here on every table is in `tables` from its first log entry on, and `touched` is the time
    # of its last activity. Older tables are filled in.
    """
    INSERT OR IGNORE INTO tables
        SELECT code, json_extract(CAST(body AS TEXT), '$.game'), 'lobby', 0
        FROM lines WHERE seq = 0 AND json_valid(CAST(body AS TEXT))
            AND json_extract(CAST(body AS TEXT), '$.game') IS NOT NULL;
    UPDATE tables SET touched = max(touched, coalesce((
        SELECT CASE WHEN json_valid(CAST(body AS TEXT))
            THEN json_extract(CAST(body AS TEXT), '$.at') END
        FROM lines WHERE lines.code = tables.code ORDER BY seq DESC LIMIT 1
    ), 0));
    CREATE INDEX tables_by_touch ON tables (touched);
    CREATE INDEX owners_by_code ON owners (code);
    CREATE TABLE bans (address TEXT PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID;
    """,
    # The last heartbeat of a house while game clocks ran. For retention: the wall clock as last
    # seen, the total time it has jumped over, and when it last jumped.
    """
    CREATE TABLE heartbeat (only INTEGER PRIMARY KEY CHECK (only = 1), at INTEGER NOT NULL);
    CREATE TABLE wall_clock (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        seen INTEGER NOT NULL, skipped INTEGER NOT NULL, jumped INTEGER NOT NULL
    );
    """,
    # The tables that their hosts list on the first page. Older tables are private.
    """
    CREATE TABLE listed (code TEXT PRIMARY KEY) WITHOUT ROWID;
    """,
    # Lists are made from summaries, so that no list replays a game; a house writes the missing
    # summaries of older tables when it starts. Refusals expire. Records of finished games are kept.
    """
    ALTER TABLE tables ADD COLUMN summary BLOB NOT NULL DEFAULT x'';
    ALTER TABLE tables ADD COLUMN summary_format INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN summary_length INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE refusals ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
    UPDATE refusals SET at = CAST(strftime('%s', 'now') AS INTEGER) * 1000;
    CREATE INDEX refusals_by_time ON refusals (at);
    CREATE TABLE records (
        code TEXT PRIMARY KEY, version TEXT NOT NULL, body BLOB NOT NULL
    ) WITHOUT ROWID;
    """,
)
"""Append only: `user_version` of a file is the number of steps it has had."""

APPLICATION_ID: Final = 0x436F7363
"""The SQLite `application_id` that marks a file as a store of Cosca."""


def migrate(db: sqlite3.Connection) -> None:
    """Apply the missing steps in one transaction; processes that start together do so once."""
    db.execute("BEGIN IMMEDIATE")
    try:
        done = db.execute("PRAGMA user_version").fetchone()[0]
        for statement in "".join(MIGRATIONS[done:]).split(";"):
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {max(done, len(MIGRATIONS))}")
        db.execute("COMMIT")
    except sqlite3.Error:
        db.execute("ROLLBACK")
        raise
