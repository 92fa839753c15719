"""What an operator sets: where the database is and what is for sale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["DEFAULT_DATABASE", "Settings"]

DEFAULT_DATABASE = "sqlite:///faregate.db"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """``database`` is a URL; ``catalogue`` a YAML or JSON file, None for the bundled demo resort."""

    database: str = DEFAULT_DATABASE
    catalogue: Path | None = None
