"""Skeleton: keep your card or swap it; the highest wins."""
