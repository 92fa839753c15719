"""The result of ``faregate catalogue audit``, as text and as JSON."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from random import Random
from typing import NamedTuple

import typer

from faregate.audit import Finding, FindingKind, audit
from faregate.audit.findings import compared_figure, price_of
from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.priced import PricedCheckout
from faregate.explanations.explanation import explain
from faregate.money.amounts import format_amount
from faregate.money.currency import currency
from faregate.render.receipts import receipt_of
from faregate.render.wording import instant_label, item_label, line_labels, printable
from faregate_cli.terminal.json_text import Json, major_units, print_json

_WORDS = {
    FindingKind.SPLIT: "several orders cost less than one",
    FindingKind.MORE_DAYS: "more days cost less than fewer",
    FindingKind.DAY_EARLIER: "a ticket that begins a day earlier costs less",
    FindingKind.ONE_MORE: "one unit more costs less",
    FindingKind.CODE: "the code makes the basket dearer",
    FindingKind.UNREACHABLE: "no sale uses this rule",
}


class Audit(NamedTuple):
    """The findings of an audit, the reasons for wanted ones, and the inputs that reproduce it."""

    catalogue: Catalogue
    findings: tuple[Finding, ...]
    wanted: Mapping[str, str]
    at: datetime
    baskets: int
    seed: int

    @property
    def is_clean(self) -> bool:
        """True if every finding is wanted."""
        return all(finding.identifier in self.wanted for finding in self.findings)

    @property
    def absent(self) -> list[str]:
        """The identifiers that are listed as wanted and were not found."""
        return sorted(set(self.wanted) - {finding.identifier for finding in self.findings})


def run_audit(
    catalogue: Catalogue, wanted: Mapping[str, str], *, at: datetime, baskets: int, seed: int
) -> Audit:
    """Return the audit of *catalogue* with the random numbers of *seed*."""
    found = audit(catalogue, at=at, draw=Random(seed).randrange, baskets=baskets)  # noqa: S311 - a search, no secret
    return Audit(catalogue, found, wanted, at, baskets, seed)


def print_audit(result: Audit, *, as_json: bool) -> None:
    """Print *result* as text or as a JSON object."""
    if as_json:
        print_json(_json(result))
    else:
        typer.echo("\n".join(map(printable, _lines(result))))


def _lines(result: Audit) -> Iterator[str]:
    for finding in result.findings:
        saving = f", by {_amount(finding.saving, finding.dearer[0])}" if finding.dearer else ""
        yield f"{finding.identifier}: {_WORDS[finding.kind]}{saving}"
        reason = result.wanted.get(finding.identifier)
        if reason is not None:
            yield f"  wanted: {reason}"
            continue
        for title, baskets in (("instead of", finding.dearer), ("cheaper", finding.cheaper)):
            for basket in baskets:
                yield f"  {title}: {basket.channel.name}, {_amount(price_of(basket), basket)}"
                yield from (f"    {line}" for line in _receipt(basket, result.catalogue))
        yield ""
    for identifier in result.absent:
        yield f"{identifier}: listed as wanted, not found this time"
    number, wanted = len(result.findings), sum(each.identifier in result.wanted for each in result.findings)
    found = f"{number} finding{'' if number == 1 else 's'}" + (f", {wanted} wanted" if wanted else "")
    yield f"{found} · {result.baskets} baskets · seed {result.seed} · {instant_label(result.at)}"


def _receipt(basket: PricedCheckout, catalogue: Catalogue) -> list[str]:
    unit = currency(basket.channel.currency)
    labels = line_labels(basket.checkout.items, basket.members, catalogue)
    explained = explain(basket.totals, currency=unit)
    return receipt_of(explained, currency=unit, labels=labels).text().splitlines()


def _amount(amount: int, basket: PricedCheckout) -> str:
    return format_amount(amount, currency(basket.channel.currency))


def _json(result: Audit) -> dict[str, Json]:
    return {
        "at": result.at.isoformat(),
        "baskets": result.baskets,
        "seed": result.seed,
        "findings": [_finding_json(finding, result) for finding in result.findings],
        "notFound": result.absent,
    }


def _finding_json(finding: Finding, result: Audit) -> dict[str, Json]:
    return {
        "id": finding.identifier,
        "kind": finding.kind.value,
        "wanted": result.wanted.get(finding.identifier),
        "dearer": [_basket_json(basket, result.catalogue) for basket in finding.dearer],
        "cheaper": [_basket_json(basket, result.catalogue) for basket in finding.cheaper],
    }


def _basket_json(basket: PricedCheckout, catalogue: Catalogue) -> dict[str, Json]:
    unit = currency(basket.channel.currency)
    steps = explain(basket.totals, currency=unit).trace
    return {
        "salesChannel": basket.channel.uuid,
        "currency": unit.code,
        "total": major_units(price_of(basket), unit),
        "codes": list(basket.checkout.codes),
        "items": [item_label(item, catalogue) for item in basket.checkout.items],
        "explanation": [
            {
                "line": step.line,
                "rule": step.rule.name,
                "source": step.source or None,
                "amount": major_units(step.amount, unit),
                "note": step.note or None,
            }
            for step in steps
            if step.figure == compared_figure(basket) and step.line is not None
        ],
    }
