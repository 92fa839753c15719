"""A catalogue from a value or a loader."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from faregate.catalogue.catalogue import Catalogue
from faregate.errors import InvalidCatalogue
from faregate.files import demo_catalogue
from faregate_http.catalogues import edition_of, newest_digest

DEMO = demo_catalogue()


class Shelf:
    """A loader of one catalogue, which changes while it is loaded."""

    def __init__(self, catalogue: object) -> None:
        self.catalogue, self.number = catalogue, 1

    def load(self) -> Catalogue:
        """Return the catalogue."""
        self.number += 1
        return self.catalogue  # type: ignore[return-value]

    def revision(self) -> str:
        """Return the number of loadings."""
        return str(self.number)


@pytest.mark.slow
def test_equal_catalogues_are_the_same_edition_in_every_process() -> None:
    code = (
        "from faregate.files import demo_catalogue; from faregate_http.catalogues import edition_of;"
        "print(edition_of(demo_catalogue()).digest)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == edition_of(replace(DEMO)).digest
    assert edition_of(replace(DEMO, vouchers=())).digest != edition_of(DEMO).digest


def test_a_change_while_loading_is_a_newer_revision() -> None:
    shelf = Shelf(DEMO)

    edition = edition_of(shelf)

    assert edition.catalogue is DEMO
    assert newest_digest(shelf)() != edition.digest == newest_digest(Shelf(DEMO))()


def test_an_edition_is_returned_unchanged() -> None:
    edition = edition_of(DEMO)

    assert edition_of(edition) is edition


@pytest.mark.parametrize("source", [None, "resort.yaml", Shelf(None)])
def test_anything_but_a_catalogue_is_refused(source: object) -> None:
    with pytest.raises(InvalidCatalogue, match="expected a Catalogue"):
        edition_of(source)  # type: ignore[arg-type]
