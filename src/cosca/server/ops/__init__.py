"""Operating a house: settings, health checks, metrics, administration and retention."""
