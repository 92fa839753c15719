"""Validity options as rows of a table: plain values, one row for each option and variant."""

from datetime import date

from faregate.catalogue.pools import Pool, PoolUse
from faregate.validity.offers import OptionRow
from faregate.validity.options import ValidityQuery, validity_options
from support.booking.validity_questions import DAILY, NOW, limited, options, sold
from support.shops.booking_shop import ADULT, CHILD, DAY, MOUNTAIN, TICKET, at, shop, ticket, variant

MONDAY = date(2026, 12, 21)


def test_a_row_has_the_values_of_its_option_for_a_variant() -> None:
    query = ValidityQuery(TICKET, MONDAY, MONDAY)
    for count, obstacle in ((4, None), (9, "sold-out")):
        taken = sold("2026-12-21", count=count)
        found = validity_options(query, catalogue=limited(DAY), capacity=taken, now=NOW)
        price, left = found.options[0].price.min, 9 - count

        assert found.rows() == [
            OptionRow(MONDAY, at("2026-12-21"), "P1D", ADULT, price, left, MOUNTAIN, MONDAY, obstacle)
        ]


def test_each_variant_has_a_row() -> None:
    both = ticket(variant(ADULT), variant(CHILD), pools=[PoolUse(MOUNTAIN)])
    catalogue = shop(both, pools=[Pool(identifier=MOUNTAIN, size=9)])
    query = ValidityQuery(TICKET, MONDAY, date(2026, 12, 22))

    rows = validity_options(query, catalogue=catalogue, capacity={}, now=NOW).rows()

    assert [(row.first_day.day, row.variant) for row in rows] == [
        (21, ADULT),
        (21, CHILD),
        (22, ADULT),
        (22, CHILD),
    ]


def test_a_row_without_a_limit_has_no_bottleneck() -> None:
    row = options(DAILY).rows()[0]

    assert (row.places, row.pool, row.pool_day, row.obstacle) == (None, None, None, None)
