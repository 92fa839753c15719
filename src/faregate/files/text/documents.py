"""Files and texts as plain values: bytes, encoding, format."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from faregate.files.text.faults import FaultyFile, FileFault
from faregate.files.text.json_text import read_json
from faregate.files.text.nodes import MOST_BYTES, line_at

if TYPE_CHECKING:
    from os import PathLike

    from faregate.errors import Loc


class FileFormat(Enum):
    """How a file is written."""

    YAML = "yaml"
    JSON = "json"


class Document(NamedTuple):
    """What a file holds. ``faults`` are those found so far; ``name`` is how messages call the file."""

    name: str
    data: object
    faults: tuple[FileFault, ...]

    def fault(self, place: Loc, message: str) -> FileFault:
        """A fault at a place of this document, with its line."""
        return FileFault(message, place, line=line_at(self.data, place))


def format_of(path: str | PathLike[str]) -> FileFormat:
    """JSON where the name ends so, else YAML."""
    return FileFormat.JSON if Path(path).suffix.lower() == ".json" else FileFormat.YAML


def read_file(path: str | PathLike[str]) -> bytes:
    """The bytes of a file, one more than ``MOST_BYTES`` at most.

    Raises:
        FaultyFile: it cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FaultyFile(str(path), [FileFault(f"cannot be read: {reason}")]) from None


def read_document(source: str | bytes, *, file_format: FileFormat, name: str) -> Document:
    """The values of a YAML or JSON text.

    Raises:
        FaultyFile: too large, not UTF-8, empty, or not of that format.
    """
    text = _decoded(source, name)
    if not text.strip():
        raise FaultyFile(name, [FileFault("is empty")])
    if file_format is FileFormat.JSON:
        data, faults = read_json(text, name)
    else:
        from faregate.files.text.yaml_text import read_yaml  # only here: JSON needs no PyYAML

        data, faults = read_yaml(text, name)
    return Document(name, data, tuple(faults))


def _decoded(source: str | bytes, name: str) -> str:
    try:
        content = source.encode() if isinstance(source, str) else source
    except UnicodeEncodeError as error:
        raise FaultyFile(name, [FileFault(f"is not text: {error.reason}")]) from None
    if len(content) > MOST_BYTES:
        raise FaultyFile(name, [FileFault(f"is larger than {MOST_BYTES} bytes")])
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"is not UTF-8: byte 0x{content[error.start]:02x}"
        raise FaultyFile(name, [FileFault(message, line=line)]) from None
