"""A progress bar on standard error, shown only in a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress


@contextmanager
def progress(what: str, *, total: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar during the block; yield a function that sets the progress, from 0 to *total*.

    The bar is removed at the end.
    """
    console = Console(stderr=True, markup=False, emoji=False)
    if sys.stderr is None or not sys.stderr.isatty() or not console.is_terminal:
        yield lambda done: None
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
