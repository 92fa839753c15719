"""The identities hold after any changes over HTTP, and the figures are those of the core."""

import json
from decimal import Decimal
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from faregate.checkout.priced import PricedCheckout, price_checkout
from faregate.files import demo_catalogue, load_basket
from faregate.money.amounts import parse_minor_units
from faregate.money.currency import currency
from faregate.totals.pipeline import LineTotals
from support.processes.purchasing import AMOUNTS
from support.service.checkout_identities import assert_identities
from support.service.checkout_walker import THREE_DAYS, Walker, ids
from support.service.service import SUNDAY, Clock, Json, day_ticket, decoded, item, open_checkout, running

BASKET = Path(__file__).parents[3] / "examples" / "basket.json"
CHF = currency("CHF")


def assert_priced_as(priced: PricedCheckout, data: Json) -> None:
    """Check that the JSON has the figures of the core."""
    assert ids(data) == [entry.key for entry in priced.items]
    for entry, figures in zip(data["items"], priced.items, strict=True):
        assert _read(entry) == _computed(figures)
    assert _read(data) == {wire: getattr(priced.totals, core) for wire, core in AMOUNTS.items()}
    assert [(code["code"], parse_minor_units(code["totalAmount"], CHF)) for code in data["promoCodes"]] == [
        (code.code, code.total_amount) for code in priced.totals.promo_codes
    ]
    assert [(paid["code"], parse_minor_units(paid["amount"], CHF)) for paid in data["vouchers"]] == [
        (paid.voucher.code, paid.amount) for paid in priced.totals.vouchers
    ]


def _read(data: Json) -> dict[str, int]:
    return {wire: parse_minor_units(data[wire], CHF) for wire in AMOUNTS}


def _computed(figures: LineTotals) -> dict[str, int]:
    return {wire: getattr(figures, core) for wire, core in AMOUNTS.items()}


def test_the_example_of_the_command_line_costs_the_same_over_http(tmp_path: Path) -> None:
    catalogue = demo_catalogue()
    basket = load_basket(BASKET, catalogue)
    written = json.loads(BASKET.read_text())
    priced = price_checkout(basket.checkout, catalogue=catalogue, at=basket.ordered_at)

    with running(tmp_path, clock=Clock(basket.ordered_at)) as client:
        walker = Walker(client)
        walker.add(
            *[item(entry.pop("id"), entry.pop("productVariantId"), **entry) for entry in written["items"]]
        )
        for code in written["codes"]:
            walker.enter(code)
        data = walker.answer(donation=written["donation"])

    assert_priced_as(priced, data)
    # Lifts 72.68 + 58.42 + 29.25 + 200.10 and lunches 22.50 + 14.50 make 397.45, less 39.75 of WINTER10;
    # insurance 11.90, sending 6.00 and the donation of 2.00 are not discounted.
    assert data["totalGross"] == Decimal("377.6")


VARIANTS = (101, 102, 103, 121, 131, 211, 213, 311, 411, 412)
CODES = ("WINTER10", "ALPINE50", "SKI59", "LUNCH4", "SKI4FOR3", "STAFF50", "NEWS5", "SKIANDEAT")
VOUCHERS = ("GIFT-100", "ALP-50", "OLD-80", "LUNCH-22")
VALIDITIES = {
    **dict.fromkeys((101, 102, 103, 311), SUNDAY),
    121: THREE_DAYS,
    131: {"from": "2026-12-27T10:00:00", "to": "2026-12-27T14:00:00"},
}

# Each example takes a dozen requests.
EXAMPLES = settings().max_examples // 3

client_ids = st.integers(1, 12)


@st.composite
def requests(draw: st.DrawFn, item_id: int | None = None) -> Json:
    """Draw a request for an item of the demo resort, mostly one that can be sold."""
    number = draw(client_ids) if item_id is None else item_id
    kind = draw(st.sampled_from((*VARIANTS, 511, 911)))
    validity = VALIDITIES.get(kind)
    if kind == 511:
        return item(number, kind, validity=SUNDAY, parentItemId=draw(client_ids))
    if kind == 911:
        return item(number, kind, parentItemId=draw(client_ids))
    card = draw(st.sampled_from((None, None, 1)))
    return item(number, kind, validity=validity, discountCardTypeId=card)


def operations() -> st.SearchStrategy[tuple[str, str, Json]]:
    """Return a strategy of requests that change a checkout: method, path and body."""
    donations = st.one_of(st.none(), st.integers(0, 10**6).map(lambda cents: cents / 100))
    media = st.dictionaries(client_ids.map(str), st.sampled_from((None, 1, 2, 3)), max_size=3)
    values = st.fixed_dictionaries(
        {}, optional={"donation": donations, "media": media, "weatherGuarantee": st.booleans()}
    )
    codes = st.sampled_from((*CODES, *VOUCHERS))
    return st.one_of(
        st.lists(requests(), max_size=4).map(lambda items: ("POST", "/items", {"json": {"items": items}})),
        st.lists(client_ids, min_size=1, max_size=2).map(
            lambda ids: ("DELETE", "/items", {"params": {"itemId": ids}})
        ),
        st.tuples(client_ids, st.integers(-3, 4)).map(
            lambda change: ("PATCH", f"/items/{change[0]}/quantity", {"json": {"delta": change[1]}})
        ),
        codes.map(lambda code: ("POST", "/vouchers", {"json": {"voucherCode": code}})),
        codes.map(lambda code: ("DELETE", f"/vouchers/{code}", {})),
        values.map(lambda given: ("POST", "/checkout-conditions", {"json": {"formValues": given}})),
    )


@settings(max_examples=EXAMPLES)
@given(st.lists(operations(), min_size=3, max_size=12))
def test_the_identities_hold_after_any_change(steady: TestClient, walk: list[tuple[str, str, Json]]) -> None:
    url, _ = open_checkout(steady, day_ticket(1), item(2, 411), item(3, 121, validity=THREE_DAYS))
    last = steady.get(url)

    for method, path, content in walk:
        response = steady.request(method, f"{url}{path}", **content)
        if response.status_code == 200:
            assert_identities(decoded(response)["data"])
            last = response
        else:
            assert response.status_code in {404, 409, 422}
        now = steady.get(url)
        assert now.content == last.content
        assert now.headers["etag"] == last.headers["etag"]
