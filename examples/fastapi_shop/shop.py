"""A museum's shop that prices, explains, stores and verifies orders; its models hold values of faregate.

    pip install faregate fastapi uvicorn
    uvicorn shop:app --app-dir examples/fastapi_shop

MUSEUM_DATABASE names the SQLite file, which museum.sql fills at the first request.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from fastapi import FastAPI, HTTPException
from pydantic import AwareDatetime, BaseModel, Field

from faregate import Context, Line, PricingRules, UnknownCode, VatRate, Voucher
from faregate.documents import Verification, dump, load, verify
from faregate.explanations import Explanation, explain
from faregate.subscriptions import SubscriptionConfiguration, Yearly, subscription_configuration
from faregate.totals import CheckoutTotals, checkout_totals

app, ZONE = FastAPI(title="Museum"), ZoneInfo("Europe/Zurich")


class Position(BaseModel):
    """A product in a basket."""

    product: int
    quantity: int = Field(ge=1, le=60)


class Basket(BaseModel):
    """A basket; the donation is in minor units."""

    positions: list[Position] = Field(min_length=1, max_length=20)
    entry: AwareDatetime | None = None
    is_member: bool = False
    codes: list[str] = Field([], max_length=5)
    vouchers: list[str] = Field([], max_length=5)
    donation: int = Field(0, ge=0, le=100_000)


class Order(BaseModel):
    """A stored order."""

    id: int
    totals: CheckoutTotals


@contextmanager
def database() -> Iterator[sqlite3.Connection]:
    """Open the database in a transaction that no other one overlaps."""
    file = os.environ.get("MUSEUM_DATABASE", "museum.db")
    with closing(sqlite3.connect(file, isolation_level=None)) as shop:
        shop.execute("BEGIN IMMEDIATE")
        if not shop.execute("SELECT 1 FROM sqlite_master").fetchone():
            shop.executescript("BEGIN IMMEDIATE;" + Path(__file__).with_name("museum.sql").read_text("utf-8"))
        try:
            yield shop
        except sqlite3.IntegrityError:
            raise HTTPException(409, "the slot is full, or a budget or voucher is used up") from None
        shop.execute("COMMIT")


def rules_of(shop: sqlite3.Connection) -> PricingRules:
    """Return the rules, with what is left of the budgets."""
    rules: PricingRules = load(json.loads(shop.execute("SELECT document FROM rules").fetchone()[0]))
    budgets = dict(shop.execute("SELECT code, budget FROM budgets"))
    codes = [replace(code, budget_left=budgets.get(code.code)) for code in rules.promo_codes]
    return replace(rules, promo_codes=tuple(codes))


def priced(shop: sqlite3.Connection, basket: Basket) -> CheckoutTotals:
    """Price a basket with the products, rules and vouchers of the database."""
    prices = {row[0]: row[1:] for row in shop.execute("SELECT id, price, vat FROM products")}
    balances = dict(shop.execute("SELECT code, balance FROM vouchers"))
    unknown = {each.product for each in basket.positions} - {*prices} | {*basket.vouchers} - {*balances}
    if unknown:
        raise HTTPException(422, f"unknown products or vouchers: {[*unknown]}")
    rules, card, lines = rules_of(shop), 1 if basket.is_member else None, []
    codes = {code.code: code for code in rules.promo_codes}
    for key, each in enumerate(basket.positions):
        price, vat = prices[each.product]
        row = Line(key, price, each.quantity, VatRate.percent(vat), product=each.product, discount_card=card)
        lines.append(row)
    return checkout_totals(
        lines,
        automatic=rules.automatic,
        promo_codes=[codes.get(code, UnknownCode(code)) for code in basket.codes],
        donation=basket.donation,
        vouchers=[Voucher(code=code, balance=balances[code]) for code in basket.vouchers],
        policy=rules.policy,
        context=Context(at=datetime.now(UTC), zone=ZONE),
    )


def take_entries(shop: sqlite3.Connection, basket: Basket) -> None:
    """Take the entries of a basket from its slot."""
    tickets = {row[0] for row in shop.execute("SELECT id FROM products WHERE is_entry")}
    entries = sum(each.quantity for each in basket.positions if each.product in tickets)
    if entries:
        if basket.entry is None:
            raise HTTPException(422, "entry is missing: tickets are for a slot")
        slot = {"at": basket.entry.astimezone(UTC).isoformat(), "sold": entries}
        shop.execute(
            "INSERT INTO slots VALUES (:at, :sold) ON CONFLICT DO UPDATE SET sold = sold + :sold", slot
        )


@app.post("/price")
def price(basket: Basket) -> Explanation:
    """Price a basket, with the steps of every figure."""
    with database() as shop:
        return explain(priced(shop, basket))


@app.post("/orders")
def order(basket: Basket) -> Order:
    """Sell a basket, and store its totals with the rules that took part."""
    with database() as shop:
        totals = priced(shop, basket)
        take_entries(shop, basket)
        spent = [(each.total_amount, each.code) for each in totals.promo_codes]
        shop.executemany("UPDATE budgets SET budget = budget - ? WHERE code = ?", spent)
        redeemed = [(each.amount, each.voucher.code) for each in totals.vouchers]
        shop.executemany("UPDATE vouchers SET balance = balance - ? WHERE code = ?", redeemed)
        stored = shop.execute("INSERT INTO orders (totals) VALUES (?)", [json.dumps(dump(totals))])
        return Order(id=stored.lastrowid or 0, totals=totals)


@app.get("/orders/{number}/verification")
def verification(number: int, *, today: bool = False) -> Verification:
    """Price an order again by the rules stored with it, and by today's if asked."""
    with database() as shop:
        found = shop.execute("SELECT totals FROM orders WHERE id = ?", [number]).fetchone()
        if found is None:
            raise HTTPException(404, f"unknown order {number}")
        return verify(json.loads(found[0]), rules_of(shop) if today else None)


@app.post("/passes")
def annual_pass(starts_at: AwareDatetime) -> SubscriptionConfiguration:
    """Return the dates of an annual pass; it can be ended after a year at the earliest."""
    return subscription_configuration(Yearly(), ordered_at=starts_at, zone=ZONE, minimal_run_periods=1)
