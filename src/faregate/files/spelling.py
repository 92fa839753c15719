"""The spelling of core values in files: the keys of their fields and the forms of the fields' values.

A key is the name of the field in camelCase. The form of its value follows from the annotation of the field
or, for integers and strings, from its name. ``SPELLINGS`` lists the exceptions of each class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any, NoReturn

from faregate.basket.policy import TotalsPolicy
from faregate.catalogue.booking_rules import BookingRules, DaysOfUse, StayRule
from faregate.catalogue.calendars import Calendar, DayPattern, EasterDay, Holiday, MonthDay, Season, Span
from faregate.catalogue.channels import Channel
from faregate.catalogue.entries import Entries, Merchant
from faregate.catalogue.presentation.content import CallToAction
from faregate.catalogue.presentation.form_fields import FormField
from faregate.catalogue.presentation.person_form import DEFAULT_PERSON_FORM
from faregate.catalogue.products import Product, Variant
from faregate.checkout.item_requests import MAX_ITEMS
from faregate.dates.durations import Duration
from faregate.dates.instants import DateRange
from faregate.dates.times_of_day import TimeOfDay
from faregate.discounts.kinds import (
    MAX_PARTS,
    Absolute,
    AutomaticDiscount,
    Bundle,
    BundlePart,
    Conditions,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.discounts.pricing_rules import PricingRules
from faregate.files.fields import types
from faregate.files.fields.currencies import Currencies
from faregate.files.fields.forms import Form, Integer, unlike
from faregate.subscriptions.rules import RenewalRule
from faregate.subscriptions.terms import SubscriptionTerms
from faregate.tax.rates import VatRate
from faregate.translations import Text

_ONE_DAY = timedelta(days=1)


def _a_mapping(value: object) -> NoReturn:
    raise unlike("a mapping", value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """The exceptions of a class from the rules for keys and values.

    ``keys`` and ``forms`` are keyed by field. If a field holds several values, its form is that of each; it
    can be given as a class or function, whose arguments are then the keys. ``required`` are fields that have
    a default in the class, but not in a file. ``most`` limits the length of lists. ``criteria`` are lists in
    which no entry means any: a file leaves them out, so that an emptied list does not select everything.

    ``defaults`` are computed from the other values of the entry and the currencies. ``short`` reads anything
    but a mapping: it returns the value, or the mapping that is meant. ``units`` returns the currencies of
    the amounts in an entry, given its data. ``make`` is called instead of the class; its own arguments are
    keys as well.
    """

    keys: Mapping[str, str] = field(default_factory=dict)
    forms: Mapping[str, Form | Callable[..., Any]] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    most: Mapping[str, int] = field(default_factory=dict)
    criteria: frozenset[str] = frozenset()
    defaults: Mapping[str, Callable[[dict[str, Any], Currencies], object]] = field(default_factory=dict)
    short: Callable[[Any], object] = _a_mapping
    units: Callable[[Currencies, object], Currencies] | None = None
    make: Callable[..., Any] | None = None


KEYS = {
    "automatic": "autoDiscounts",
    "automatic_discounts": "autoDiscounts",
    "end": "to",
    "excluded_variants": "excludedProductVariants",
    "factors": "percent",
    "first": "from",
    "is_holiday": "holidays",
    "last": "to",
    "parts_per_million": "percent",
    "rate": "vatRate",
    "rate_changes": "vatRateChanges",
    "rule": "renewal",
    "since": "from",
    "single_purpose": "singlePurposeVatRate",
    "start": "from",
    "variant": "productVariant",
    "variants": "productVariants",
}
"""The keys of fields that are not written as their name in camelCase."""

BY_NAME: dict[str, Form] = {
    **dict.fromkeys(("id", "category", "media", "discount_card", "variant", "accounts"), types.ID),
    **dict.fromkeys(("products", "variants", "categories", "discount_cards"), types.ID),
    **dict.fromkeys(("excluded_products", "excluded_variants", "excluded_categories"), types.ID),
    **dict.fromkeys(("sort_order", "priority", "lane"), types.RANKING),
    **dict.fromkeys(("weekdays", "start_weekdays"), types.WEEKDAY),
    **dict.fromkeys(("minimum", "maximum", "first", "last"), types.WHOLE_NUMBER),
    **dict.fromkeys(("min_lead_days", "max_lead_days", "min_sold"), types.COUNT),
    **dict.fromkeys(("quantity", "uses_left", "units", "uses"), types.COUNT),
    **dict.fromkeys(("buy", "get", "at_most", "group_size", "max_units"), types.MINIMUM_COUNT),
    "max_units_per_line": types.MINIMUM_COUNT,
    **dict.fromkeys(("every", "min_quantity", "max_length"), types.MINIMUM_COUNT),
    **dict.fromkeys(("min_days", "max_days"), types.MINIMUM_DAY_COUNT),
    "days_before": types.DAY_COUNT,
    "minutes_before": types.MINUTE_COUNT,
    "size": types.UNITS,
    **dict.fromkeys(("amount", "price", "floor_price", "step", "floor", "ceiling"), types.AMOUNT),
    **dict.fromkeys(("spend", "budget_left", "balance", "face_value"), types.AMOUNT),
    **dict.fromkeys(("increment", "max_amount", "cash_increment"), types.POSITIVE_AMOUNT),
    "parts_per_million": types.PERCENT,
    "factors": types.FACTOR,
    "code": types.CODE,
    "currency": types.CURRENCY_CODE,
    "timezone": types.TIME_ZONE,
    "territory": types.TERRITORY,
    **dict.fromkeys(("uuid", "channels"), types.UUID_TEXT),
    "sha256": types.KEY_DIGEST,
    "slug": types.SLUG,
    "link": types.URL,
    "image_url": types.IMAGE_URL,
    "lqip": types.IMAGE_PREVIEW,
    **dict.fromkeys(("redirect_urls", "shop_origins"), types.WEB_ORIGIN),
    **dict.fromkeys(("en", "de", "fr", "it", "meta_information"), types.PARAGRAPH),
}
"""The form of integers and strings, by the name of their field; other strings are a ``types.NAME``."""


def _catalogue(
    *,
    currency: str,  # of the amounts, which are already read
    seasons: tuple[Season, ...] = (),
    holidays: tuple[Holiday, ...] = (),
    person_form: tuple[FormField, ...] = (),
    **entries: Any,
) -> Entries:
    calendar = Calendar(seasons=seasons, holidays=holidays)
    return Entries(calendar=calendar, person_form=person_form or DEFAULT_PERSON_FORM, **entries)


def _rules(*, currency: str, **rules: Any) -> PricingRules:
    return PricingRules(**rules)


def slug(slug: str) -> str:
    """Return a reference to a product or a page, as in ``{slug: day-ticket}``."""
    return slug


def attribute_value(identifier: str, value: str) -> tuple[str, str]:
    """Return the value of an attribute, as in ``{identifier: age, value: adult}``."""
    return identifier, value


def days(start: date, last: date) -> DateRange:
    """Return a range of local dates with its last day, as in ``{from: 2026-12-26, to: 2027-01-03}``."""
    if last < start:
        raise ValueError(f"the last day, {last}, is before the first day, {start}")
    return DateRange(start, last + _ONE_DAY)


def _scope(**criteria: Any) -> Scope:
    least, most = criteria.get("min_lead_days"), criteria.get("max_lead_days")
    if least is not None and most is not None and most < least:
        raise ValueError(f"maxLeadDays {most} is below minLeadDays {least}")
    return Scope(**criteria)


def _threshold(**minimums: Any) -> Threshold:
    threshold = Threshold(**minimums)
    if not threshold.spend and not threshold.quantity:
        raise ValueError("expected spend or quantity above 0")
    return threshold


def _conditions(**conditions: Any) -> Conditions:
    starts, ends = conditions.get("starts_at"), conditions.get("ends_at")
    if starts is not None and ends is not None and ends <= starts:
        raise ValueError(f"endsAt {ends.isoformat()} is not after startsAt {starts.isoformat()}")
    return Conditions(**conditions)


def _bundle(**terms: Any) -> Bundle:
    if ("price" in terms) == ("parts_per_million" in terms):
        raise ValueError("expected either price or percent")
    return Bundle(**terms)


def _span_of_a_day(day: object) -> dict[str, str]:
    return {"from": day, "to": day} if isinstance(day, str) else _a_mapping(day)


def _in_english(text: object) -> dict[str, str]:
    return {"en": text} if isinstance(text, str) else _a_mapping(text)


def _policy(_: object, units: Currencies) -> TotalsPolicy:
    return TotalsPolicy(cash_increment=units.unit.cash_increment)


def _name(values: dict[str, Any], _: object) -> Text:
    return Text(values["name"])


_DISCOUNT_KEYS = {"kind": "discount", "name": "displayName"}
_POSITIVE = {"amount": types.POSITIVE_AMOUNT}
_LEAD_DAYS = dict.fromkeys(("min_lead_days", "max_lead_days"), types.DAY_COUNT)

SPELLINGS: dict[Callable[..., Any], Spelling] = {
    Absolute: Spelling(forms=_POSITIVE),
    AutomaticDiscount: Spelling(keys=_DISCOUNT_KEYS, required=frozenset({"name"})),
    BookingRules: Spelling(forms=_LEAD_DAYS, criteria=frozenset({"seasons"})),
    Bundle: Spelling(most={"parts": MAX_PARTS}, make=_bundle),
    BundlePart: Spelling(forms={"units": types.MINIMUM_COUNT}),
    CallToAction: Spelling(keys={"variant": "variant"}, forms={"product": slug, "page": slug}),
    Channel: Spelling(
        forms={"max_units": Integer(1, MAX_ITEMS)},
        criteria=frozenset({"products"}),
        units=Currencies.of_channel,
        defaults={"currency": lambda _, units: units.unit.code, "policy": _policy},
    ),
    Conditions: Spelling(
        criteria=frozenset({"weekdays", "channels", "accounts", "customer_groups"}), make=_conditions
    ),
    DayPattern: Spelling(criteria=frozenset({"seasons", "weekdays", "dates"})),
    DaysOfUse: Spelling(forms={"days": types.MINIMUM_DAY_COUNT}),
    Entries: Spelling(left_out=frozenset({"calendar"}), make=_catalogue),
    FormField: Spelling(forms={"name": types.FIELD_NAME}),
    Merchant: Spelling(defaults={"currency": lambda _, units: units.unit.code}),
    PerUnit: Spelling(forms=_POSITIVE),
    PricingRules: Spelling(defaults={"policy": _policy}, make=_rules),
    Product: Spelling(units=Currencies.of_product, defaults={"translation": _name}),
    PromoCode: Spelling(keys=_DISCOUNT_KEYS, required=frozenset({"id", "name"})),
    Scope: Spelling(
        forms={"attributes": attribute_value},
        left_out=frozenset({"lines"}),
        criteria=frozenset(
            {"products", "variants", "categories", "attributes", "discount_cards", "weekdays"}
        ),
        make=_scope,
    ),
    Span: Spelling(short=_span_of_a_day),
    StayRule: Spelling(criteria=frozenset({"start_weekdays"})),
    SubscriptionTerms: Spelling(forms={"minimal_run_periods": Integer(0, 1200)}),
    Text: Spelling(required=frozenset({"en"}), short=_in_english),
    Threshold: Spelling(make=_threshold),
    TimeOfDay: Spelling(keys={"end": "until"}),
    TotalsPolicy: Spelling(defaults={"cash_increment": lambda _, units: units.unit.cash_increment}),
    Variant: Spelling(defaults={"translation": _name}),
    VatRate: Spelling(forms={"parts_per_million": types.FACTOR}, short=types.read_rate),
}

BY_TYPE: dict[Any, Form | Callable[..., Any]] = {
    bool: types.BOOLEAN,
    float: types.PART_OF_ONE,
    date: types.DAY,
    datetime: types.INSTANT,
    time: types.LOCAL_TIME,
    timedelta: types.ELAPSED_TIME,
    Duration: types.DURATION,
    RenewalRule: types.RENEWAL_RULE,
    date | MonthDay | EasterDay: types.SPAN_DAY,
    DateRange: days,
}
"""The form of values of these types; other classes have entries with a key for each field."""
