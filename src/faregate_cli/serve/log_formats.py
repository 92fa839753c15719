"""Formats of log lines."""

from enum import Enum


class LogFormat(Enum):
    """The format of log lines; ``AUTO`` is text in a terminal and JSON elsewhere."""

    AUTO = "auto"
    JSON = "json"
    TEXT = "text"
