"""Arguments of ``faregate validities``, read with all faults reported together."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import NamedTuple
from zoneinfo import ZoneInfo

from faregate.arguments.suggestions import did_you_mean
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration
from faregate.errors import InvalidInput
from faregate.files.fields.types import read_day, read_instant
from faregate.validity.options import ValidityQuery
from faregate_cli.terminal.arguments import ArgumentReader
from faregate_cli.validities.calendars import Question, following_month

_EVERY_VARIANT = "all"


class ValidityArguments(NamedTuple):
    """The arguments of ``faregate validities`` as typed; defaults are filled in when they are read."""

    product: str
    first_day: str | None = None
    last_day: str | None = None
    durations: Sequence[str] = ()
    variants: Sequence[str] = ()
    quantity: int = 1
    only_available: bool = False
    at: str | None = None


def read_question(arguments: ValidityArguments, catalogue: Catalogue) -> Question:
    """Return the query in *arguments*, by default for the standard variant and the first duration.

    The default instant is now. The default days are from the day of the instant to the end of the month
    after the first day.

    Raises:
        InvalidInput: lists every fault of the arguments.
    """
    product = _product(arguments.product, catalogue)
    zone = ZoneInfo(catalogue.merchant(product.merchant).timezone)
    reader = ArgumentReader()
    at = reader.read("--at", read_instant, arguments.at, datetime.now(UTC)).astimezone(zone)
    first = reader.read("--from", read_day, arguments.first_day, at.date())
    end_of_next_month = following_month(following_month(first)) - timedelta(days=1)
    last = reader.read("--to", read_day, arguments.last_day, end_of_next_month)
    durations = arguments.durations or [str(product.durations[0])]
    query = ValidityQuery(
        product.id,
        first_day=first,
        last_day=last,
        durations=reader.read_each("--duration", partial(_duration, product), durations),
        variants=reader.read_each("--variant", partial(_variant, product), _variant_ids(arguments, product)),
        quantity=arguments.quantity,
        only_available=arguments.only_available,
    )
    if last < first and not reader.faults:
        reader.refuse("--to", f"{last} is before the first day, {first}")
    reader.check()
    return Question(query, catalogue, at)


def _product(text: str, catalogue: Catalogue) -> Product:
    """Return the product with the id *text* or, failing that, the product with the slug *text*."""
    named = [product for product in catalogue.products if text in {str(product.id), product.slug}]
    if not named:
        slugs = [product.slug for product in catalogue.products]
        raise InvalidInput(f"unknown product {text!r}{did_you_mean(text, slugs)}")
    product = min(named, key=lambda product: str(product.id) != text)
    if not product.has_validity:
        raise InvalidInput(f"{product.slug} is sold without validity periods, so it has no calendar")
    if not product.durations:
        raise InvalidInput(f"{product.slug} has no durations in the catalogue, so it has no calendar")
    return product


def _duration(product: Product, text: str) -> Duration:
    duration = Duration.parse(text)
    if duration not in product.durations:
        known = ", ".join(map(str, product.durations))
        raise InvalidInput(f"{product.slug}: expected one of the durations {known}, got {text!r}")
    return duration


def _variant_ids(arguments: ValidityArguments, product: Product) -> Sequence[str]:
    """Return the ids of the variants in *arguments*, or by default that of the standard variant."""
    if _EVERY_VARIANT in arguments.variants:
        return [str(variant.id) for variant in product.variants]
    return arguments.variants or [str(product.standard_variant.id)]


def _variant(product: Product, text: str) -> int:
    ids = [variant.id for variant in product.variants]
    if text not in map(str, ids):
        known = ", ".join(map(str, ids))
        raise InvalidInput(f"{product.slug}: expected one of the variants {known}, got {text!r}")
    return int(text)
