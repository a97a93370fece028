"""Tables that people are at: committing to the log, presence, reactions, bots and broadcast."""
