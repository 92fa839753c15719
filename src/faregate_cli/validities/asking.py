"""Reading what a call asks about the validities of a product. Every fault of the call is listed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter, ValidationError

from faregate.dates.instants import Duration
from faregate.errors import InvalidInput
from faregate.validity.options import ValidityQuery
from faregate_catalogue.fields import Day, Instant
from faregate_catalogue.suggestions import did_you_mean
from faregate_cli.validities.calendars import Question, following_month
from faregate_cli.words import Words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from faregate.catalogue.catalogue import Catalogue, Product

__all__ = ["Asked", "read_question"]

_EVERY_VARIANT = "all"

_T = TypeVar("_T")


class Asked(NamedTuple):
    """The words of a call. What is not given is chosen when they are read."""

    product: str
    first_day: str | None = None
    last_day: str | None = None
    durations: Sequence[str] = ()
    variants: Sequence[str] = ()
    quantity: int = 1
    only_available: bool = False
    at: str | None = None


def read_question(asked: Asked, catalogue: Catalogue) -> Question:
    """What is *asked*: by default about the standard variant and the first duration of the product.

    Without days it is from today to the end of next month, without an instant now.

    Raises:
        InvalidInput: lists every fault of the call.
    """
    product = _product(asked.product, catalogue)
    zone = ZoneInfo(catalogue.merchant(product.merchant).timezone)
    words = Words()
    at = words.read("--at", _instant, asked.at, datetime.now(UTC)).astimezone(zone)
    first = words.read("--from", _day, asked.first_day, at.date())
    last = words.read("--to", _day, asked.last_day, _end_of_next_month(first))
    durations = asked.durations or [str(product.durations[0])]
    query = ValidityQuery(
        product.id,
        first_day=first,
        last_day=last,
        durations=words.read_each("--duration", partial(_duration, product), durations),
        variants=words.read_each("--variant", partial(_variant, product), _variant_words(asked, product)),
        quantity=asked.quantity,
        only_available=asked.only_available,
    )
    if last < first and not words.faults:
        words.note("--to", f"{last} is before the first day, {first}")
    if words.faults:
        raise InvalidInput(*words.faults)
    return Question(query, catalogue, at)


def _product(word: str, catalogue: Catalogue) -> Product:
    """The product of that id, or else of that slug, which may be a number, too."""
    named = [product for product in catalogue.products if word in {str(product.id), product.slug}]
    if not named:
        slugs = [product.slug for product in catalogue.products]
        raise InvalidInput(f"there is no product {word!r}{did_you_mean(word, slugs)}")
    product = min(named, key=lambda product: str(product.id) != word)
    if not product.has_validity:
        raise InvalidInput(f"{product.slug} is sold without a validity, so it has no calendar")
    if not product.durations:
        raise InvalidInput(f"the catalogue names no duration of {product.slug}, so it has no calendar")
    return product


def _duration(product: Product, word: str) -> Duration:
    duration = Duration.parse(word)
    if duration not in product.durations:
        raise InvalidInput(f"{product.slug} lasts {', '.join(map(str, product.durations))}, not {word}")
    return duration


def _variant_words(asked: Asked, product: Product) -> Sequence[str]:
    """The ids asked for, as they were written; by default that of the standard variant."""
    if _EVERY_VARIANT in asked.variants:
        return [str(variant.id) for variant in product.variants]
    return asked.variants or [str(product.standard_variant.id)]


def _variant(product: Product, word: str) -> int:
    ids = [variant.id for variant in product.variants]
    if word not in map(str, ids):
        raise InvalidInput(f"{product.slug} has the variants {', '.join(map(str, ids))}, not {word!r}")
    return int(word)


def _end_of_next_month(day: date) -> date:
    return following_month(following_month(day)) - timedelta(days=1)


def _day(word: str) -> date:
    return _read(TypeAdapter(Day), word)


def _instant(word: str) -> datetime:
    return _read(TypeAdapter(Instant), word)


def _read(form: TypeAdapter[_T], word: str) -> _T:
    """*word* as a catalogue file may have it."""
    try:
        return form.validate_python(word)
    except ValidationError as error:
        raise InvalidInput(*(str(fault["ctx"]["error"]) for fault in error.errors())) from None
