"""Durable storage: the logs of tables and what is kept beside them."""
