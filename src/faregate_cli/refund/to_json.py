"""A refund quote as the document that ``--refunded`` reads later. Decisions §19."""

from faregate.documents import dump
from faregate_cli.refund.arguments import Refund
from faregate_cli.terminal.json_text import Json


def to_json(refund: Refund) -> Json:
    """Return the quote as a document; amounts are in minor units."""
    return dump(refund.quote)
