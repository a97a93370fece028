"""How fast Cosca is, next to the engines people know. Run it with `./run bench`."""
