"""Reading the HTML that a notebook shows."""

from xml.etree import ElementTree as ET


def tree_of(html: str) -> ET.Element:
    """Parse the HTML, which must be well-formed."""
    return ET.fromstring(f"<div>{html}</div>")


def texts(html: str) -> list[list[str]]:
    """Return the texts of the first table by row; of a collapsed element, only its summary."""
    table = tree_of(html).find(".//table")
    assert table is not None
    return [[_text(cell) for cell in row] for row in table.iterfind("./tbody/tr")]


def _text(cell: ET.Element) -> str:
    summary = cell.find("details/summary")
    return "".join((cell if summary is None else summary).itertext())
