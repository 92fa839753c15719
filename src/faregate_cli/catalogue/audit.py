"""The result of ``faregate catalogue audit``, as text and as JSON, and the list of wanted findings."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import indent

from faregate.audit import Finding
from faregate.documents import dump
from faregate.errors import InvalidCatalogue
from faregate.files.text.documents import format_of, read_document, read_file
from faregate.files.text.issues import InvalidFile, issues_as
from faregate.money.amounts import Money
from faregate.money.currency import currency
from faregate.render import text
from faregate_cli.terminal.json_text import Json, json_fields


def read_wanted(file: Path | None) -> Mapping[str, str]:
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
        if not isinstance(data, Mapping) or not all(isinstance(each, str) and each for each in data.values()):
            raise InvalidFile.of("expected findings with reasons in words, as in one-more/discount-5: ...")
        return data


def audit_lines(findings: Sequence[Finding], wanted: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines that describe *findings*, with the receipts of those that are not *wanted*."""
    for finding in findings:
        units = [currency(basket.channel.currency) for basket in finding.dearer]
        yield "".join([finding.identifier, *(f": saves {Money(finding.saving, unit)}" for unit in units)])
        if finding.identifier in wanted:
            yield f"  wanted: {wanted[finding.identifier]}"
            continue
        for title, baskets in (("instead of", finding.dearer), ("cheaper", finding.cheaper)):
            for basket in baskets:
                yield f"  {title}: {basket.channel.name}"
                yield from indent(text(basket), "    ").splitlines()
        yield ""


def audit_json(findings: Sequence[Finding], wanted: Mapping[str, str]) -> list[Json]:
    """Return *findings* as JSON, with a document that explains the price of each basket."""
    return [
        {
            **json_fields(finding, "identifier", "kind"),
            "wanted": wanted.get(finding.identifier),
            "explanations": [dump(each) for each in finding.explanations()],
        }
        for finding in findings
    ]
