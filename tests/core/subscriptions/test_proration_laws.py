"""Laws of proration: the parts of a period cost as much as the period. Decisions §7.5."""

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise

from hypothesis import assume, example, given
from hypothesis import strategies as st

from faregate.dates.instants import DateRange
from faregate.dates.months import add_months
from faregate.errors import InvalidPeriod
from faregate.money.allocation import allocate
from faregate.subscriptions.proration import DayCount, prorate, proration
from support.baskets.strategies import amounts, members
from support.subscriptions.renewal_walk import DAY, anchors, ends_of_months

ACTUAL, FIXED30, THIRTY_E_360, EVERY_MONTH_30 = DayCount
conventions = members(DayCount)
additive = st.sampled_from((ACTUAL, THIRTY_E_360, EVERY_MONTH_30))
signed_amounts = amounts | amounts.map(lambda amount: -amount)


@st.composite
def wholes(draw: st.DrawFn) -> DateRange:
    """Draw a period of months, of days, or of any length up to three years."""
    start = draw(ends_of_months(st.integers(2019, 2030)) | anchors)
    end = draw(
        st.sampled_from([add_months(start, months) for months in (1, 1, 3, 12)])
        | st.integers(1, 1100).map(lambda days: start + days * DAY)
    )
    return DateRange(start, end)


@st.composite
def cuts(draw: st.DrawFn, most: int = 5) -> Sequence[DateRange]:
    """Draw a period and its parts, some of them empty."""
    whole = draw(wholes())
    start, end = whole.start, whole.end
    inner = draw(st.lists(st.integers(0, (end - start).days), max_size=most))
    days = [start, *(start + timedelta(days=offset) for offset in sorted(inner)), end]
    return [DateRange(*ends) for ends in pairwise(days)]


def whole_of(parts: Sequence[DateRange]) -> DateRange:
    return DateRange(parts[0].start, parts[-1].end)


def counted_one_by_one(days: DateRange, convention: DayCount) -> int:
    """Return the sum of the weights that the convention gives to each day."""
    each = (date.fromordinal(ordinal) for ordinal in range(days.start.toordinal(), days.end.toordinal()))
    return sum(_worth(day, convention) for day in each)


def _worth(day: date, convention: DayCount) -> int:
    if convention is EVERY_MONTH_30:
        return _in_a_month_of_thirty(day)
    if convention is THIRTY_E_360:  # as before, but a 31st replaces the 30th before it
        is_before_a_31st = (day + DAY).day == 31
        return 1 if day.day == 31 else 0 if is_before_a_31st else _in_a_month_of_thirty(day)
    return 1


def _in_a_month_of_thirty(day: date) -> int:
    """Return 0 for a 31st, 3 or 2 for the last of February, 1 for any other day."""
    if day.day == 31:
        return 0
    is_last_of_february = day.month == 2 and day.day == monthrange(day.year, 2)[1]
    return 31 - day.day if is_last_of_february else 1


def share_of(part: DateRange, whole: DateRange, convention: DayCount) -> Fraction:
    try:
        return proration(part=part, whole=whole, convention=convention)
    except InvalidPeriod:  # only a 31st, or within one month by the fixed count
        assume(False)
        raise


@given(cuts(), additive)
@example(
    [DateRange(date(2026, 1, 15), date(2026, 1, 31)), DateRange(date(2026, 1, 31), date(2026, 2, 15))],
    EVERY_MONTH_30,
)
def test_the_shares_of_all_parts_add_up_to_one(parts: Sequence[DateRange], convention: DayCount) -> None:
    whole = whole_of(parts)

    shares = [share_of(part, whole, convention) for part in parts]

    assert sum(shares) == 1


@given(signed_amounts, cuts(), additive)
def test_money_shared_by_the_parts_adds_up(
    amount: int, parts: Sequence[DateRange], convention: DayCount
) -> None:
    whole, days = whole_of(parts), [counted_one_by_one(part, convention) for part in parts]
    assume(sum(days))

    shares = allocate(amount, days)

    assert sum(shares) == amount
    for part, share in zip(parts, shares, strict=True):
        assert abs(share - amount * proration(part=part, whole=whole, convention=convention)) < 1
        assert abs(share - prorate(amount, part=part, whole=whole, convention=convention)) <= 1


@given(cuts(most=2), additive)
@example(
    [DateRange(date(2026, 1, 31), date(2026, 2, 1)), DateRange(date(2026, 2, 1), date(2026, 2, 28))],
    EVERY_MONTH_30,
)
@example(
    [DateRange(date(2026, 1, 30), date(2026, 1, 31)), DateRange(date(2026, 1, 31), date(2026, 3, 1))],
    EVERY_MONTH_30,
)
@example(
    [DateRange(date(2024, 2, 28), date(2024, 2, 29)), DateRange(date(2024, 2, 29), date(2024, 3, 1))],
    EVERY_MONTH_30,
)
def test_a_share_matches_a_count_of_single_days(parts: Sequence[DateRange], convention: DayCount) -> None:
    whole = whole_of(parts)
    days = counted_one_by_one(whole, convention)
    assume(days)

    for part in parts:
        share = proration(part=part, whole=whole, convention=convention)
        assert share == Fraction(counted_one_by_one(part, convention), days)


@given(ends_of_months(st.integers(2019, 2030)), st.integers(1, 24), st.integers(0, 800))
def test_the_fixed_count_has_thirty_days_for_every_month(start: date, months: int, days: int) -> None:
    whole = DateRange(start, add_months(start, months))
    assume(days <= whole.days)

    share = proration(part=DateRange(start, start + days * DAY), whole=whole, convention=FIXED30)

    assert share == min(Fraction(days, 30 * months), 1)


@given(cuts(), conventions)
def test_a_share_is_from_0_to_1_and_grows_with_its_part(
    parts: Sequence[DateRange], convention: DayCount
) -> None:
    whole = whole_of(parts)

    growing = [share_of(DateRange(whole.start, part.end), whole, convention) for part in parts]

    assert growing[0] >= 0
    assert growing == sorted(growing)
    assert growing[-1] == 1 or convention is FIXED30
    assert growing[-1] <= 1


@given(signed_amounts, cuts(most=2), conventions)
def test_money_is_rounded_once_half_away_from_zero(
    amount: int, parts: Sequence[DateRange], convention: DayCount
) -> None:
    whole, part = whole_of(parts), parts[0]
    exact = abs(amount) * share_of(part, whole, convention)

    cost = prorate(amount, part=part, whole=whole, convention=convention)

    assert abs(cost) == int(exact + Fraction(1, 2))
    assert cost * amount >= 0
    assert prorate(-amount, part=part, whole=whole, convention=convention) == -cost
