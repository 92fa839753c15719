"""How lines of the log may look."""

from __future__ import annotations

from enum import Enum

__all__ = ["LogFormat"]


class LogFormat(Enum):
    """``AUTO``: as text for a terminal, else as JSON."""

    AUTO = "auto"
    JSON = "json"
    TEXT = "text"
