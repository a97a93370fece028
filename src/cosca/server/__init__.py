"""Tables online: rooms folded from their logs, a durable store, sockets, and the pages."""
