"""Reading, decoding and parsing of files and strings into plain values."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from faregate.errors import Issue
from faregate.files.text.issues import FileIssue, InvalidFile
from faregate.files.text.json_text import read_json
from faregate.files.text.nodes import MAX_BYTES, LinedDict, LinedList, line_at


class FileFormat(Enum):
    """The format of a file, by default determined by the file name."""

    YAML = "yaml"
    JSON = "json"


class Document(NamedTuple):
    """The values in a file, and the ``issues`` that were found while it was parsed."""

    data: object
    issues: list[FileIssue]

    def for_lines(self) -> Document:
        """Return the document; its data is dropped if it lacks the line numbers that issues need."""
        return self if isinstance(self.data, LinedDict | LinedList) else self._replace(data=None)

    def refusal(self, issues: Iterable[Issue] = (), *, unlisted: int = 0) -> InvalidFile:
        """Return an error with the document's own issues and *issues*; *unlisted* more are only counted."""
        lined = [FileIssue(issue, line_at(self.data, issue.loc)) for issue in issues]
        return InvalidFile([*self.issues, *lined], unlisted=unlisted)


def format_of(path: str | PathLike[str]) -> FileFormat:
    """Return JSON if the file name ends in ``.json``, or else YAML."""
    return FileFormat.JSON if Path(path).suffix.lower() == ".json" else FileFormat.YAML


def read_file(path: str | PathLike[str]) -> bytes:
    """Return the content of a file, at most ``MAX_BYTES`` + 1 bytes: enough to see that it is too large.

    Raises:
        InvalidFile: the file cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidFile.of(f"the file cannot be read: {reason}") from None


def read_document(source: str | bytes, file_format: FileFormat) -> Document:
    """Return the values in a YAML or JSON text, as a document.

    Raises:
        InvalidFile: the text is too large, not UTF-8, empty, or not in the given format.
    """
    text = _decoded(source)
    if not text.strip():
        raise InvalidFile.of("the file is empty")
    if file_format is FileFormat.JSON:
        return Document(*read_json(text))
    from faregate.files.text.yaml_text import read_yaml  # not at the top: JSON does not need PyYAML

    return Document(*read_yaml(text))


def _decoded(source: str | bytes) -> str:
    try:
        content = source.encode() if isinstance(source, str) else source
    except UnicodeEncodeError as error:
        raise InvalidFile.of(f"the text cannot be encoded as UTF-8: {error.reason}") from None
    if len(content) > MAX_BYTES:
        raise InvalidFile.of(f"the file is larger than {MAX_BYTES} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"is not UTF-8: byte 0x{content[error.start]:02x}"
        raise InvalidFile.of(message, line=line) from None
