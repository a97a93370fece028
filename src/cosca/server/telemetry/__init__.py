"""Structured logs and metrics. Every layer may write them; they import no other layer."""
