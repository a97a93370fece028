"""The server for the benchmark, without rate limits: `house.py STORE PORT [PACE]`."""

import sys
from dataclasses import replace
from pathlib import Path

from cosca.server.ops.settings import Settings
from cosca.server.serve import serve


def main() -> None:
    """Serve until stopped."""
    store, port, *pace = sys.argv[1:]
    seconds = float(pace[0]) if pace else 0.0
    settings = Settings(store=Path(store), port=int(port), bot_seconds=seconds, unlimited=True)
    serve(replace(settings, log_level="warning", metrics=True), print)


if __name__ == "__main__":
    main()
