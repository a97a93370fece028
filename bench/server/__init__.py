"""How much the house holds: tables under load beside boardgame.io's, and the memory of sockets."""
