"""Omerta: four cards each, two of them known, and a call that ends it all."""
