"""The published test kit: laws that every game keeps, and golden stories."""
