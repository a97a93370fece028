"""`python -m cosca.cli`: the command line where no `cosca` is on the path."""

from cosca.cli.main import main

main()
