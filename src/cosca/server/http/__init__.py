"""How browsers and programs reach the house: routes, sockets, rate limits, schemas."""
