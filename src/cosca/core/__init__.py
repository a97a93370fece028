"""Names and contracts every game speaks. Imports nothing of ours."""
