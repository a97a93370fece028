"""Vendetta, by Doris Matthäus and Frank Nestel: protection money and raids in a village."""
