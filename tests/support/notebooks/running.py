"""Runs notebooks; as a program it stores what they show, without anything that differs from run to run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[3] / "notebooks").glob("*.ipynb"))
LONGEST_CELL_SECONDS = 60
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def run(notebook: Any, folder: Path) -> None:
    """Fill in what its cells show, run one after the other in *folder*."""
    # What a cell prints comes in pieces that depend on the time it takes.
    client = NotebookClient(
        notebook, timeout=LONGEST_CELL_SECONDS, record_timing=False, coalesce_streams=True
    )
    client.execute(cwd=str(folder))
    notebook.metadata = {"kernelspec": KERNEL}


if __name__ == "__main__":
    for path in NOTEBOOKS:
        fresh = read(path)
        run(fresh, path.parent)
        nbformat.write(fresh, path)  # type: ignore[no-untyped-call]
