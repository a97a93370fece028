"""Logs and metrics, which every layer writes to."""
