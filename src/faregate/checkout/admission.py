"""Checks that persons are within the age limits of their tickets. Decisions §13."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime

from faregate.catalogue.ages import AgeRange, age_on
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.presentation.person_form import DATE_OF_BIRTH
from faregate.checkout.model import CheckoutItem
from faregate.checkout.subscriptions import SubscriptionPricing
from faregate.errors import Issue, IssueCode, UnknownEntry


def age_issues(
    items: Iterable[tuple[int, CheckoutItem]],
    persons: Mapping[int, Mapping[str, object]],
    *,
    catalogue: Catalogue,
    at: datetime,
) -> Iterator[Issue]:
    """Yield an issue for each item whose person is outside the age limits of its variant.

    *items* are pairs of an index, which is used in the ``loc`` of an issue, and an item. Items without a
    person or a date of birth, and items that cannot be sold, are skipped.
    """
    desk = SubscriptionPricing(catalogue=catalogue, at=at)
    for index, item in items:
        born = persons.get(item.person, {}).get(DATE_OF_BIRTH) if item.person is not None else None
        try:
            product, variant = catalogue.variant(item.variant)
        except UnknownEntry:
            continue
        if born is None or variant.ages is None or (product.has_validity and item.validity is None):
            continue
        message = _refused(variant.ages, born, desk.first_day(product, item))
        if message is not None:
            named = f"variant {variant.id} ({variant.name}) {message}"
            yield Issue(("items", index, "person"), named, IssueCode.AGE_NOT_ADMITTED)


def _refused(ages: AgeRange, born: object, day: date) -> str | None:
    try:
        age = age_on(day, born=date.fromisoformat(str(born)))
    except ValueError:
        return f"needs a date of birth, got {str(born)[:40]!r}"
    if ages.first <= age <= ages.last:
        return None
    return f"admits ages {ages.first} to {ages.last} on its first day {day}: choose another variant or person"
