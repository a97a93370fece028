"""The contract between games and everything else. Imports no other package of Cosca."""
