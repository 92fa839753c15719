"""Formats of log lines."""

from __future__ import annotations

from enum import Enum


class LogFormat(Enum):
    """``AUTO``: as text for a terminal, else as JSON."""

    AUTO = "auto"
    JSON = "json"
    TEXT = "text"
