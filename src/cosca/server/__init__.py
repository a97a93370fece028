"""Tables online: event logs, a durable store, an HTTP API, sockets and the pages."""
