"""All results as a Parquet file, if `cosca[parquet]` is installed."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args, get_type_hints

from cosca.arena.folder import GAMES_FILE, refuse_folder
from cosca.arena.result import Result
from cosca.core.errors import Refused

PARQUET = "games.parquet"


def check() -> None:
    """Refuse before any game is played if Parquet cannot be written here."""
    if find_spec("arro3") is None or find_spec("arro3.io") is None:
        raise Refused("arena.no_parquet")


def write_parquet(folder: Path) -> None:
    """Write one row for each result of a folder; lists have one entry for each seat."""
    from arro3 import io  # optional: larger than all other dependencies

    path = folder / PARQUET
    temporary = path.with_name(f"{PARQUET}.new")
    try:
        io.write_parquet(io.read_json(folder / GAMES_FILE, _schema()), temporary)
        temporary.replace(path)
    except OSError as error:
        refuse_folder(path, error)


def _schema() -> Any:
    """Return the columns, with the types of a result."""
    from arro3.core import DataType, Field, Schema

    plain = {
        int: DataType.int64(),
        float: DataType.float64(),
        bool: DataType.bool(),
        str: DataType.utf8(),
    }

    def column(kind: Any) -> Any:
        items = get_args(kind)
        if not items:
            return plain[kind]
        return DataType.list(Field("item", plain[items[0]], nullable=False))

    hints = get_type_hints(Result)
    names = Result.__struct_fields__
    return Schema([Field(name, column(hints[name]), nullable=False) for name in names])
