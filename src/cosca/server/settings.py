"""What a host may set for the whole house."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where the house is, and whom it trusts."""

    store: Path
    host: str = "127.0.0.1"
    port: int = 8642
    names: tuple[str, ...] = ()
    """Names under which the house is known besides its addresses, as that of a reverse proxy."""
    proxies: tuple[str, ...] = ()
    """Addresses whose word is taken for whom they forward."""
    workers: int = 1
    """Processes that think for bots."""
    pace: float = 0.7
    """Seconds a bot takes for a step."""
    generous: bool = False
    """Whether nobody is slowed down: for measuring."""
