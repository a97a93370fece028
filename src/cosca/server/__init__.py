"""Tables online: rooms room_from_log from their logs, a durable store, sockets, and the pages."""
