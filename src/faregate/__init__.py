"""Prices and bookings for ticketing, exact to the last cent.

Nothing is loaded until it is used: each name in ``__init__.pyi`` is imported from its module on first access.
Three functions must be imported from their own modules: ``faregate.money.currency.currency``,
``faregate.subscriptions.proration.proration`` and ``faregate.render.receipt``.
"""

from __future__ import annotations

import sys
from importlib import import_module

from faregate._lazy import lazy

__version__ = "0.1.0"

__getattr__, __dir__ = lazy(__name__)


def _draw_in_notebooks() -> None:
    """If IPython is running, register the tables and pictures that notebooks show for faregate values."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None:
        notebooks = import_module("faregate.render.notebooks")
        notebooks.register(shell.display_formatter.formatters["text/html"])


_draw_in_notebooks()
