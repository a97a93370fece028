"""Benchmarks of Cosca beside engines people know. Run them with `./run bench`."""
