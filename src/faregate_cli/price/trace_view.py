"""The trace of a priced checkout as ledgers, which explain every amount to the last cent.

A ledger starts from an amount, lists signed steps in its inner column, and has their sums, called figures, in
its outer column. A figure that is calculated from another one is listed after it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from rich.console import Console
from rich.table import Table
from rich.text import Text

from faregate.basket.policy import PriceBasis
from faregate.explanations.descriptions import describe_kind
from faregate.explanations.steps import PassedOver
from faregate.money.amounts import MinorUnits, format_minor_units
from faregate.money.currency import Currency
from faregate.trace import Step, StepKind, Trace
from faregate_cli.price.priced_basket import PricedBasket
from faregate_cli.terminal.console import GIVEN, QUIET, STRONG, Trimmed, indented, sheet, two_tone

_FIGURES = {
    "list_price_gross": "List price with VAT",
    "list_price_net": "List price without VAT",
    "total_discount_gross": "Discounts with VAT",
    "total_discount_net": "Discounts without VAT",
    "total_subscription_gross": "Subscriptions with VAT",
    "total_subscription_net": "Subscriptions without VAT",
    "total_gross": "Total with VAT",
    "total_net": "Total without VAT",
    "amount_due": "To pay",
    "cash_due": "In cash",
}
_REDUCTIONS = {StepKind.AUTOMATIC_DISCOUNT, StepKind.PROMO_CODE, StepKind.LARGEST_REMAINDER, StepKind.VOUCHER}


def print_summary(console: Console, basket: PricedBasket) -> None:
    """Print the steps from the list price to the total: one line per discount and VAT rate."""
    _Ledgers(console, basket).print_total()
    _print_passed_over(console, basket)
    console.print()
    hint = "--explain=ITEM lists every step of one item, --explain=all of all items."
    console.print(Trimmed(Text(hint, QUIET)))


def print_item(console: Console, basket: PricedBasket, item_id: int) -> None:
    """Print the ledgers of the checkout line that contains the item *item_id*."""
    (ids,) = (ids for ids in basket.priced.members if item_id in ids)
    _Ledgers(console, basket).print_line(ids)


def print_trace(console: Console, basket: PricedBasket) -> None:
    """Print the ledgers of each line and of the checkout as a whole."""
    ledgers = _Ledgers(console, basket)
    console.print()
    console.print(Text("Where every amount comes from", STRONG))
    for ids in basket.priced.members:
        ledgers.print_line(ids)
    ledgers.print_checkout()
    _print_passed_over(console, basket)


def _print_passed_over(console: Console, basket: PricedBasket) -> None:
    if basket.explained.passed_over:
        console.print()
        console.print(Trimmed(Text("\n").join(_passed_over(basket.explained.passed_over, basket.currency))))


class _Ledgers:
    def __init__(self, console: Console, basket: PricedBasket) -> None:
        self.console = console
        self.trace = basket.explained.trace
        self.currency = basket.currency
        self.labels = basket.labels
        self.listed = basket.listed
        self.names = _FIGURES | {f"line {key}": label for key, label in basket.labels.items()}
        self.items = {row.key: row for row in basket.priced.items}
        self.amount_width = basket.amount_width
        in_net = basket.priced.channel.policy.price_basis is PriceBasis.NET
        self.basis, self.other = ("net", "gross") if in_net else ("gross", "net")

    def print_total(self) -> None:
        self._print("Where the total comes from", "", [f"total_{self.basis}", f"total_{self.other}"], ())

    def print_line(self, ids: Sequence[int]) -> None:
        basis, other = self.basis, self.other
        figures = [f"total_{basis}", f"total_{other}"]
        if self.trace.amount(f"total_discount_{basis}", line=ids[0]):
            figures += [f"list_price_{other}", f"total_discount_{other}"]
        items = f"item{'s' if len(ids) > 1 else ''} {', '.join(map(str, ids))}"
        self._print(self.labels[ids[0]], items, figures, ids)

    def print_checkout(self) -> None:
        basis, other = self.basis, self.other
        figures = [f"list_price_{basis}", f"total_{basis}", f"total_{other}", f"list_price_{other}"]
        if self.trace.amount(f"total_discount_{basis}"):
            figures += [f"total_discount_{basis}", f"total_discount_{other}"]
        if self.trace.of("total_subscription_gross"):
            figures += ["total_subscription_gross", "total_subscription_net"]
        self._print("Checkout", "", [*figures, "amount_due", "cash_due"], ())

    def _print(self, title: str, note: str, figures: Iterable[str], ids: Sequence[int]) -> None:
        header = two_tone(title, note, style=STRONG)
        table = sheet(self.console, header, "", self.currency.code, amount_width=self.amount_width)
        before = ""
        for figure in figures:
            before = self._add(table, figure, ids, after=before)
        self.console.print()
        self.console.print(Trimmed(table))

    def _add(self, table: Table, figure: str, ids: Sequence[int], *, after: str) -> str:
        """Add the steps of *figure* and their sum to *table*, below the figure *after*; return *figure*."""
        steps = self.trace.of(figure, line=ids[0] if ids else None)
        continued = bool(after and steps and steps[0].rule is StepKind.CARRIED and steps[0].source == after)
        if after and not continued:
            table.add_section()
        shown = [step for step in steps[continued:] if step.amount]
        for index, step in enumerate(shown):
            self._add_step(table, step, is_first=not (index or continued))
            if step.rule is StepKind.LIST_PRICE:
                self._add_listed(table, self.listed[ids[0]])
        amount = self._money(sum(step.amount for step in steps))
        name = two_tone(f"= {self.names[figure]}", self._shares(figure, ids), style=STRONG)
        table.add_row(name, "", Text(amount, STRONG))
        return figure

    def _add_step(self, table: Table, step: Step, *, is_first: bool) -> None:
        sign = "+" if step.amount > 0 and not is_first else ""
        style = GIVEN if step.rule in _REDUCTIONS else ""
        text = two_tone(self._name(step), step.note, style=style)
        table.add_row(indented(text), Text(f"{sign}{self._money(step.amount)}", style), "")

    def _add_listed(self, table: Table, listed: Trace) -> None:
        """Add the steps of a list price to *table*, unless there is only one, without a reason."""
        shown = [(step, " ".join(filter(None, (step.source, step.note)))) for step in listed]
        if len(shown) == 1 and not shown[0][1]:
            return
        for index, (step, reason) in enumerate(shown):
            sign = "+" if step.amount > 0 and index else ""
            name = step.rule.value.replace("_", " ")
            text = f"    {sign}{self._money(step.amount)} {name} {reason}".rstrip()
            table.add_row(Text(text, QUIET), "", "")

    def _name(self, step: Step) -> str:
        match step.rule:
            case StepKind.CARRIED:
                return self.names.get(step.source, step.source)
            case StepKind.VAT | StepKind.VOUCHER:
                return f"{_RULES[step.rule]} {step.source}"
            case StepKind.AUTOMATIC_DISCOUNT | StepKind.PROMO_CODE | StepKind.LARGEST_REMAINDER:
                return step.source
            case _:
                return _RULES[step.rule]

    def _shares(self, figure: str, ids: Sequence[int]) -> str:
        """Return how *figure* is divided among the items *ids*, as in ``1 x 26.67 + 2 x 26.66``."""
        if len(ids) < 2:  # noqa: PLR2004
            return ""
        amounts = Counter(map(attrgetter(figure), (self.items[item_id] for item_id in ids)))
        return " + ".join(f"{count} x {self._money(amount)}" for amount, count in amounts.items())

    def _money(self, amount: MinorUnits) -> str:
        return format_minor_units(amount, self.currency)


_RULES = {
    StepKind.LIST_PRICE: "List price",
    StepKind.FIRST_PERIOD: "First period",
    StepKind.VAT: "VAT",
    StepKind.GIVE_BACK: "Given back",
    StepKind.DONATION: "Donation",
    StepKind.VOUCHER: "Voucher",
    StepKind.CASH_ROUNDING: "Rounding",
}


def _passed_over(entries: Iterable[PassedOver], currency: Currency) -> Iterator[Text]:
    yield Text("Also applicable, but something better won", QUIET)
    for discount, would_take in entries:
        name = str(discount.name) or f"automatic discount {discount.id}"
        kind = describe_kind(discount.kind, currency=currency)
        yield two_tone(f"  {name}", f"{kind}, {format_minor_units(would_take, currency)} on its own")
