"""Running notebooks; as a program, this stores their outputs without content that varies between runs."""

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
    """Run all cells in order in *folder* and fill in their outputs."""
    # The output of a cell arrives in pieces that depend on timing.
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
