"""Laws of ``max_units``: the units that one use of a code makes cheaper. Decisions §3.4."""

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from core.discounts.test_discount_laws import single_codes, taken_by_key, the_code
from faregate.totals.request import PricingRequest

counts = st.integers(1, 12)


def limited_to(request: PricingRequest, most: int | None) -> PricingRequest:
    """Return the same basket with its code limited to a number of units."""
    return request._replace(promo_codes=(replace(the_code(request), max_units=most),))


def units_as_lines(request: PricingRequest) -> PricingRequest:
    """Return the same units as single lines; units of a lower line have lower keys."""
    step = max(line.quantity for line in request.lines)
    return request._replace(
        lines=tuple(
            line._replace(key=step * place + n, quantity=1)
            for place, line in enumerate(sorted(request.lines, key=lambda line: line.key))
            for n in range(line.quantity)
        )
    )


@given(single_codes(), counts)
def test_at_most_max_units_get_cheaper(request: PricingRequest, most: int) -> None:
    assume(sum(line.quantity for line in request.lines) <= 60)
    taken, _ = taken_by_key(units_as_lines(limited_to(request, most)))

    assert sum(share > 0 for share in taken.values()) <= most


@given(single_codes(), counts, counts)
def test_a_higher_max_units_never_takes_less(request: PricingRequest, most: int, more: int) -> None:
    few, _ = taken_by_key(limited_to(request, most))
    many, _ = taken_by_key(limited_to(request, most + more))

    assert sum(few.values()) <= sum(many.values())


@given(single_codes(), st.integers(0, 3))
def test_max_units_of_at_least_all_units_change_nothing(request: PricingRequest, over: int) -> None:
    units = sum(line.quantity for line in request.lines)

    assert taken_by_key(limited_to(request, units + over)) == taken_by_key(limited_to(request, None))
