"""The file that lists the findings of an audit that are wanted, with the reason for each."""

from collections.abc import Mapping
from pathlib import Path

from faregate.errors import InvalidCatalogue
from faregate.files.text.documents import format_of, read_document, read_file
from faregate.files.text.issues import InvalidFile, issues_as


def read_wanted(file: Path | None) -> dict[str, str]:
    """Return the reasons in *file*, keyed by the identifier of the finding; empty without a file.

    Raises:
        InvalidCatalogue: the file cannot be read, or an entry is not an identifier with a reason.
    """
    if file is None:
        return {}
    with issues_as(InvalidCatalogue, str(file)):
        document = read_document(read_file(file), format_of(file))
        if document.issues:
            raise document.refusal()
        data = document.data
        if not isinstance(data, Mapping):
            raise InvalidFile.of(
                "expected identifiers of findings with reasons, as in one-more/discount-5: ..."
            )
        for key, reason in data.items():
            if not isinstance(reason, str) or not reason.strip():
                raise InvalidFile.of(f"expected a reason in words, got {reason!r}", loc=(str(key),))
        return {str(key): reason for key, reason in data.items()}
