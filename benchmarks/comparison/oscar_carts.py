"""A(n) with django-oscar: two site offers applied to a basket of products by its ``Applicator``.

Database, products and offers are prepared in memory, and the lines are loaded. The timed call is what oscar
does whenever a basket is shown: find the offers, apply them, read the totals. Stock records hold gross
prices, from which the strategy takes the tax per unit, to four decimals like oscar's own ``FixedRateTax``.
"""

from __future__ import annotations

import importlib
import warnings
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import Any

from benchmarks.compare import Timer, timer
from benchmarks.comparison.contenders import LeftOut, optional
from benchmarks.workload import DONATION, PERCENT_OFF, UNITS_OFF, Figures, Priced, basket

MOST_LINES = 100
CENT = Decimal("0.01")


def prepare() -> None:
    """Set up oscar with a database in memory, or raise LeftOut if it is not installed."""
    if optional("oscar") is None:
        raise LeftOut("django-oscar: left out, not installed (make bench-compare has it).")
    _set_up()


@cache
def _set_up() -> None:
    django: Any = importlib.import_module("django")
    conf: Any = importlib.import_module("django.conf")
    defaults: Any = importlib.import_module("oscar.defaults")
    oscar: Any = importlib.import_module("oscar")
    own = {name: getattr(defaults, name) for name in dir(defaults) if name.startswith("OSCAR_")}
    settings = own | {
        "OSCAR_OFFERS_INCL_TAX": True,
        "OSCAR_DEFAULT_CURRENCY": "CHF",
        "INSTALLED_APPS": oscar.INSTALLED_APPS,
        "DATABASES": {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField",
        "HAYSTACK_CONNECTIONS": {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}},
        "MIGRATION_MODULES": _NoMigrations(),
        "SITE_ID": 1,
        "USE_TZ": True,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        conf.settings.configure(**settings)
        django.setup()
        importlib.import_module("django.core.management").call_command(
            "migrate", run_syncdb=True, verbosity=0
        )


class _NoMigrations:
    """Makes the tables as the models define them now, without the migration history."""

    def __contains__(self, app: str) -> bool:
        return True

    def __getitem__(self, app: str) -> None:
        return None


# ---------------------------------------------------------------- the shop


def model(label: str, name: str) -> Any:
    loading: Any = importlib.import_module("oscar.core.loading")
    return loading.get_model(label, name)


@cache
def products() -> list[Any]:
    """Return a product per line with a stock record at its gross price; two are in the range "passes"."""
    kind = model("catalogue", "ProductClass").objects.create(name="Ticket", track_stock=False)
    partner = model("partner", "Partner").objects.create(name="Resort")
    records = model("partner", "StockRecord").objects
    found = []
    for line in basket(MOST_LINES):
        own = model("catalogue", "Product").objects.create(title=f"{line.number}", product_class=kind)
        price = line.unit_price * CENT
        records.create(product=own, partner=partner, partner_sku=own.pk, price=price, price_currency="CHF")
        found.append(own)
    _offers(found[:2])
    return found


def _offers(passes: list[Any]) -> None:
    ranges = model("offer", "Range").objects
    first = ranges.create(name="passes")
    for own in passes:
        first.add_product(own)
    everything = ranges.create(name="everything", includes_all_products=True)
    _offer("Automatic", first, "Absolute", UNITS_OFF * CENT, 2)
    _offer("Code", everything, "Percentage", Decimal(PERCENT_OFF), 1)


def _offer(name: str, products: Any, kind: str, value: Decimal, priority: int) -> None:
    condition = model("offer", "Condition").objects.create(range=products, type="Count", value=1)
    benefit = model("offer", "Benefit").objects.create(range=products, type=kind, value=value)
    model("offer", "ConditionalOffer").objects.create(
        name=name,
        offer_type="Site",
        exclusive=False,
        priority=priority,
        condition=condition,
        benefit=benefit,
        max_basket_applications=1,
    )


@cache
def strategy() -> Any:
    """Return a strategy of gross prices and the tax included in them."""
    strategies: Any = importlib.import_module("oscar.apps.partner.strategy")
    prices: Any = importlib.import_module("oscar.apps.partner.prices")
    rates = {
        own.pk: Decimal(line.per_mille) / 1000
        for own, line in zip(products(), basket(MOST_LINES), strict=True)
    }

    def pricing_policy(self: Any, product: Any, record: Any) -> Any:
        net = (record.price / (1 + rates[product.pk])).quantize(self.exponent)
        return prices.TaxInclusiveFixedPrice(currency="CHF", excl_tax=net, tax=record.price - net)

    parts = (
        strategies.UseFirstStockRecord,
        strategies.StockRequired,
        strategies.FixedRateTax,
        strategies.Structured,
    )
    return type("GrossPrices", parts, {"pricing_policy": pricing_policy})()


# ---------------------------------------------------------------- the basket


def started(n: int) -> tuple[Timer, Priced]:
    """Return the timer of a basket of *n* lines, and its result."""
    applicator: Any = importlib.import_module("oscar.apps.offer.applicator").Applicator()
    own = model("basket", "Basket").objects.create()
    own.strategy = strategy()
    for line, product in zip(basket(n), products(), strict=False):
        own.add_product(product, line.quantity)

    def price() -> Any:
        own.reset_offer_applications()
        applicator.apply(own)
        rows = [_row(line) for line in own.all_lines()]
        return rows, own.total_incl_tax, own.total_excl_tax

    return timer(price), _read(price())


def _row(line: Any) -> tuple[Decimal, ...]:
    return (
        line.line_price_incl_tax,
        line.line_price_excl_tax,
        line.discounts.incl_tax,
        line.line_price_incl_tax_incl_discounts,
        line.line_price_excl_tax_incl_discounts,
        *(applied.amount for applied in line.discounts),
    )


def _read(answer: Any) -> Priced:
    rows = [_figures(row) for row in answer[0]]
    sums = Figures(*map(sum, zip(*rows, strict=True)))
    gross, net = (_cents(amount) + DONATION for amount in answer[1:])
    return Priced(rows, sums._replace(total_gross=gross, total_net=net))


def _figures(row: tuple[Decimal, ...]) -> Figures:
    listed, list_net, discount, total, net, *applied = map(_cents, row)
    automatic, promo = applied if len(applied) == 2 else (0, *applied)
    return Figures(listed, list_net, automatic, promo, discount, list_net - net, total, net)


def _cents(amount: Decimal) -> int:
    return int((amount / CENT).quantize(Decimal(1), ROUND_HALF_UP))
