"""What a table is, without input, output or clock: its log, its room and its judge."""
