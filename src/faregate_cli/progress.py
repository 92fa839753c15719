"""How far a long reading is: a bar on standard error where that is a terminal, and nothing anywhere else."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["progress"]


@contextmanager
def progress(what: str, *, total: int) -> Iterator[Callable[[int], None]]:
    """Show how much of *total* is done while something is read; what is yielded is told how much that is.

    The bar goes away when all is read: what is printed then stands alone.
    """
    console = Console(stderr=True, markup=False, emoji=False)
    if sys.stderr is None or not sys.stderr.isatty() or not console.is_terminal:
        yield lambda done: None
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
