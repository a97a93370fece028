"""The HTTP layer: endpoints, sockets, pages, rate limits and schemas."""
