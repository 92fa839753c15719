"""Functions that read a catalogue from a file or a string."""

from __future__ import annotations

from functools import cache
from os import PathLike
from pathlib import Path

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.editions import Edition
from faregate.catalogue.entries import Entries
from faregate.errors import InvalidCatalogue
from faregate.files.consistency import file_issues
from faregate.files.entries import entry_of, file_loc, read_entry
from faregate.files.fields.currencies import currencies_of
from faregate.files.text.documents import FileFormat, format_of, read_document, read_file
from faregate.files.text.issues import issues_as

_DEMO = Path(__file__).with_name("demo_resort.yaml")


def load_catalogue(path: str | PathLike[str]) -> Catalogue:
    """Return the catalogue in the file *path*, read as JSON if the name ends in ``.json``, else as YAML.

    Raises:
        InvalidCatalogue: lists every issue as ``file:line: loc: message``; in JSON, only syntax errors have
            a line. Ids and references are checked only if the shape of all entries is valid.
    """
    with issues_as(InvalidCatalogue, str(path)):
        return _catalogue(read_file(path), format_of(path))


def load_edition(path: str | PathLike[str] | None) -> Edition:
    """Return the catalogue in the file *path* (if None, the demo resort) and the file's SHA-256 digest.

    Raises:
        InvalidCatalogue: as for ``load_catalogue``.
    """
    from hashlib import sha256

    if path is None:
        return Edition(demo_catalogue(), sha256(_DEMO.read_bytes()).hexdigest())
    with issues_as(InvalidCatalogue, str(path)):
        source = read_file(path)
        return Edition(_catalogue(source, format_of(path)), sha256(source).hexdigest())


def parse_catalogue(
    text: str | bytes, *, file_format: FileFormat = FileFormat.YAML, name: str = "catalogue"
) -> Catalogue:
    """Return the catalogue in *text*; error messages refer to it as *name*.

    >>> parse_catalogue("currency: CHF").products
    ()

    Raises:
        InvalidCatalogue: as for ``load_catalogue``.
    """
    with issues_as(InvalidCatalogue, name):
        return _catalogue(text, file_format)


@cache  # reading the file takes 0.1 s
def demo_catalogue() -> Catalogue:
    """Return the catalogue of the bundled demo resort.

    >>> demo_catalogue().product(11).slug
    'day-ticket'
    """
    return load_catalogue(_DEMO)


def _catalogue(source: str | bytes, file_format: FileFormat) -> Catalogue:
    document = read_document(source, file_format)
    form, units = entry_of(Entries), currencies_of(document.data)
    entries = read_entry(form, document, units)
    document = document.for_lines()  # a third of the memory of a large file in JSON
    issues = [*file_issues(entries, units.unit.code)]
    try:
        catalogue = Catalogue(**vars(entries))
        if not issues:
            return catalogue
    except InvalidCatalogue as error:
        issues = [*error.issues, *issues]
    # Seasons and holidays are at the top of a file.
    found = [issue._replace(loc=issue.loc[issue.loc[:1] == ("calendar",) :]) for issue in issues]
    raise document.refusal(issue._replace(loc=file_loc(form, issue.loc)) for issue in found)
