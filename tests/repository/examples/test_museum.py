"""The museum's shop: prices worked out by hand, orders that are stored, verified and never oversold."""

import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

SHOP = Path(__file__).parents[3] / "examples/fastapi_shop/shop.py"
ADULT, CHILD, GUIDE, BOOK = 1, 3, 4, 5
ENTRY = "2026-12-27T10:00:00+01:00"


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """Yield a client of a shop with a new database."""
    monkeypatch.setenv("MUSEUM_DATABASE", str(tmp_path / "museum.db"))
    spec = spec_from_file_location("museum_shop", SHOP)
    assert spec is not None
    assert spec.loader is not None
    shop = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "museum_shop", shop)
    spec.loader.exec_module(shop)
    with TestClient(shop.app) as client:
        yield client


def basket(*positions: tuple[int, int], **more: Any) -> dict[str, Any]:
    """Return a basket of products and quantities."""
    sold = [{"product": product, "quantity": quantity} for product, quantity in positions]
    return {"positions": sold, "entry": ENTRY, **more}


def changed(tmp_path: Path, statement: str, *values: object) -> None:
    """Change the database behind the shop's back."""
    with closing(sqlite3.connect(tmp_path / "museum.db")) as database, database:
        database.execute(statement, values)


def test_a_basket_is_priced_and_explained(client: TestClient) -> None:
    members = basket(
        *((ADULT, 2), (GUIDE, 3), (BOOK, 1)),
        is_member=True,
        codes=["NIGHT", "DAY"],
        vouchers=["GIFT-50"],
        donation=500,
    )
    priced = client.post("/price", json=members).json()

    # 36.00 - 10 %, two guides of three, 39.00 - 10 %: 77.50, of which NIGHT takes half.
    totals = priced["totals"]
    assert totals["autoDiscountAmount"] == 360 + 500 + 390
    assert totals["promoCodeDiscount"] == 3875
    assert totals["totalGross"] == 3875 + 500
    assert totals["amountDue"] == 500, "the voucher pays no donation"
    steps = [step for step in priced["trace"]["steps"] if step["figure"] == "total_gross"]
    assert sum(step["amount"] for step in steps if step["line"] is None) == 3875 + 500
    assert [(code["promoCode"]["code"], code["reason"]) for code in priced["refused"]] == [("DAY", "UNKNOWN")]


def test_a_family_pays_a_price_for_2_adults_and_2_children(client: TestClient) -> None:
    priced = client.post("/price", json=basket((ADULT, 3), (CHILD, 2))).json()

    # 2 x 18.00 + 2 x 6.00 = 48.00 for 40.00, shared 36 to 12; the third adult pays 18.00.
    assert [line["autoDiscountAmount"] for line in priced["totals"]["lines"]] == [600, 200]
    assert priced["totals"]["totalGross"] == 4000 + 1800


def test_an_order_is_verified_unless_it_was_changed(client: TestClient, tmp_path: Path) -> None:
    order = client.post("/orders", json=basket((ADULT, 1), codes=["NIGHT"])).json()
    url = f"/orders/{order['id']}/verification"
    assert client.get(url).json().get("difference") is None

    rules = json.dumps({"format": "faregate.rules/1"})
    changed(tmp_path, "UPDATE rules SET document = ?", rules)
    assert client.get(url).json().get("difference") is None
    today = client.get(url, params={"today": True}).json()
    assert today["today"]["amountDue"] == 1800
    (rule,) = today["byRule"]
    assert (rule["source"], rule["stored"], rule["today"]) == ("NIGHT", -900, 0)

    forged = json.dumps({**order["totals"], "format": "faregate.totals/1", "amountDue": 1})
    changed(tmp_path, "UPDATE orders SET totals = ?", forged)
    assert client.get(url).json()["difference"]["loc"] == ["amountDue"]


def test_neither_slot_nor_budget_nor_voucher_is_overdrawn(client: TestClient) -> None:
    spent = [client.post("/orders", json=basket((BOOK, 3), codes=["NIGHT"])) for _ in range(3)]
    assert [order.json()["totals"]["promoCodeDiscount"] for order in spent] == [5850, 4150, 0]

    paid = [client.post("/orders", json=basket((BOOK, 1), vouchers=["GIFT-50"])) for _ in range(2)]
    assert [order.json()["totals"]["amountDue"] for order in paid] == [0, 2800]

    entries = [client.post("/orders", json=basket((CHILD, 25))).status_code for _ in range(3)]
    assert entries == [200, 200, 409]
    assert client.post("/orders", json=basket((CHILD, 10))).status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [
        basket((9, 1)),
        basket((ADULT, 0)),
        basket((BOOK, 1), vouchers=["GIFT-51"]),
        basket((ADULT, 1), entry=None),
        basket((ADULT, 1), entry="2026-12-27T10:00:00"),
        basket((ADULT, 1), donation=-1),
    ],
)
def test_an_invalid_basket_is_refused(client: TestClient, wrong: dict[str, Any]) -> None:
    assert client.post("/orders", json=wrong).status_code == 422
    assert client.get("/orders/1/verification").status_code == 404


def test_an_annual_pass_ends_after_a_year_at_the_earliest(client: TestClient) -> None:
    found = client.post("/passes", params={"starts_at": "2028-02-29T10:00:00+01:00"}).json()

    assert (found["first"], found["earliestEnd"]) == (
        {"start": "2028-02-29", "end": "2029-02-28"},
        "2029-02-28",
    )


def test_the_shop_has_an_openapi_document(client: TestClient) -> None:
    described = client.get("/openapi.json").json()

    kinds = json.dumps(described["components"]["schemas"])
    assert '"PerUnit"' in kinds
    assert len(SHOP.read_text("utf-8").splitlines()) <= 150
