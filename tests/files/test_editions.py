"""Editions: a catalogue with the digest of its file, as a key for caches."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from faregate.files import reading

if TYPE_CHECKING:
    import pytest


def test_an_edition_describes_exactly_the_bytes_that_were_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, read = tmp_path / "shop.yaml", []
    file.write_text("currency: CHF", encoding="utf-8")

    def read_and_replace(path: str) -> bytes:
        read.append(Path(path).read_bytes())
        file.write_text("currency: EUR", encoding="utf-8")
        return read[-1]

    monkeypatch.setattr(reading, "read_file", read_and_replace)
    edition = reading.load_edition(file)

    assert edition.digest == sha256(b"currency: CHF").hexdigest()
    assert len(read) == 1


def test_the_demo_resort_has_an_edition() -> None:
    catalogue, digest = reading.load_edition(None)

    assert catalogue is reading.demo_catalogue()
    assert re.fullmatch("[0-9a-f]{64}", digest)
