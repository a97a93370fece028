"""Load tests of the server: tables beside those of boardgame.io, and memory of sockets."""
