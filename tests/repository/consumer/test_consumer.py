"""Modules as another service writes them; mypy and pyright (`make types`) find all mistakes in `mistakes`."""

from datetime import UTC, date, datetime

import pytest

from faregate import GateRequest, ValidityQuery
from faregate.errors import InvalidAccessRequest
from faregate.files import demo_catalogue
from repository.consumer import basket, visits

NOW, SUNDAY = datetime(2026, 12, 1, 9, tzinfo=UTC), date(2027, 1, 3)


@pytest.mark.parametrize(("voucher", "due"), [(0, 1485), (500, 985)])
def test_a_basket_of_three_guides_and_a_coffee(voucher: int, due: int) -> None:
    totals = basket.price(3, 1, voucher=voucher)

    # 18.00 - 6.00 + 4.50 = 16.50, less 10 %; 10.80 / 1.081 = 9.99 and 4.05 / 1.026 = 3.95.
    assert totals.total_gross == 1485
    assert totals.amount_due == due
    assert basket.vat_by_rate(totals) == {81_000: 81, 26_000: 10}
    assert sum(amount for _, amount in basket.reasons(totals)) == 1080


def test_visits_of_the_demo_resort() -> None:
    catalogue = demo_catalogue()
    query = ValidityQuery(15, SUNDAY, SUNDAY, variants=(151,))
    request = GateRequest(valid_from=SUNDAY, order_date=NOW, quantity=1, currency_code="EUR")

    assert visits.next_charges(NOW)[:2] == (date(2026, 12, 15), date(2027, 1, 15))
    assert visits.free_days(catalogue, 15, (SUNDAY, SUNDAY), NOW).keys() == {SUNDAY}
    assert visits.prices_of(catalogue, query, NOW)[0].price == 6200
    with pytest.raises(InvalidAccessRequest):
        visits.at_the_gate(catalogue, request)
    assert visits.is_cheap(100, [100, 200, 300, 400])
