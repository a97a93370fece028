"""Run the command line as `python -m cosca.cli`, for when `cosca` is not on the path."""

from cosca.cli.main import main

main()
