"""Every notebook runs from top to bottom without a network, with the outputs stored in it."""

from base64 import b64decode
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import nbformat
import numpy as np
import pytest
from matplotlib.image import imread

from support.notebooks.running import NOTEBOOKS, read, run

pytestmark = pytest.mark.slow

ONE, *OTHERS = NOTEBOOKS

# The kernel communicates with the test in another way.
UNPLUG = "import socket\nsocket.getaddrinfo = socket.create_connection = None"

# Of 255, to tolerate slightly shifted edges; a line moved by ten cents differs more.
MOST_MEAN_DIFFERENCE = 0.5


@pytest.fixture(
    scope="module",
    params=[ONE, *(pytest.param(path, marks=pytest.mark.long) for path in OTHERS)],
    ids=lambda path: path.stem,
)
def stored(request: pytest.FixtureRequest) -> Any:
    return read(request.param)


@pytest.fixture(scope="module")
def executed(stored: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the notebook, run in an empty folder with the default IPython."""
    folder = tmp_path_factory.mktemp("notebook")
    fresh = nbformat.from_dict(stored)  # type: ignore[no-untyped-call]
    first = nbformat.v4.new_code_cell(UNPLUG)  # type: ignore[no-untyped-call]
    fresh.cells = [first, *fresh.cells]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(folder / "ipython"))
        run(fresh, folder)
    fresh.cells = fresh.cells[1:]
    return fresh


def shown(notebook: Any, kind: str) -> Iterator[str]:
    """Yield the outputs of its cells, of a MIME type or printed."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if kind in output.get("data", {}):
                yield output.data[kind]
            elif output.get("name") == kind:
                yield output.text


def test_all_notebooks_are_found() -> None:
    assert [path.stem for path in NOTEBOOKS] == [
        "01_is_this_price_high",
        "02_did_the_change_pay",
        "03_which_rule_costs_what",
        "04_a_full_saturday",
        "05_two_seasons",
        "06_renewal_dates",
    ]


@pytest.mark.parametrize("kind", ["text/html", "text/plain", "stdout"])
def test_stored_text_equals_that_of_a_new_run(kind: str, stored: Any, executed: Any) -> None:
    assert list(shown(executed, kind)) == list(shown(stored, kind))


def test_stored_plots_resemble_those_of_a_new_run(stored: Any, executed: Any) -> None:
    drawn, kept = (
        [imread(BytesIO(b64decode(image))) * 255 for image in shown(notebook, "image/png")]
        for notebook in (executed, stored)
    )

    assert len(kept) > 0
    assert [image.shape for image in drawn] == [image.shape for image in kept]
    for image, known in zip(drawn, kept, strict=True):
        assert np.abs(image - known).mean() < MOST_MEAN_DIFFERENCE


def test_no_notebook_warns(executed: Any) -> None:
    assert list(shown(executed, "stderr")) == []


def test_stored_cells_were_run_in_order(stored: Any) -> None:
    counts = [cell.execution_count for cell in stored.cells if cell.cell_type == "code"]

    assert counts == list(range(1, len(counts) + 1))


def test_nothing_is_stored_that_differs_from_run_to_run(stored: Any) -> None:
    assert set(stored.metadata) == {"kernelspec"}
    assert [cell.metadata for cell in stored.cells if cell.metadata] == []
