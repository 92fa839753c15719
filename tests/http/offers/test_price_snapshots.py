"""Prices of products are computed at most once a second, and cached no longer."""

import asyncio
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import PoolSlot, PoolUsage
from faregate.catalogue.products import Product
from faregate.files import load_catalogue
from faregate_http.inventory.inventory import Inventory
from faregate_http.offers.price_snapshots import PriceSnapshots
from faregate_http.offers.product_views import ProductViews
from faregate_http.store.contract import StoreUnavailable
from support.service.service import START

SHOP = Path(__file__).parents[2] / "support" / "catalogues" / "product_shop.yaml"


class CountingInventory(Inventory):
    """Inventory with given usage that records its queries."""

    def __init__(self, taken: dict[PoolSlot, PoolUsage] | None = None) -> None:
        self.asked: list[tuple[date, date]] = []
        self.taken = taken or {}
        self.fails = False

    async def around(
        self, product: Product, first: date, last: date, *, at: datetime, without: str | None = None
    ) -> dict[PoolSlot, PoolUsage]:
        self.asked.append((first, last))
        await asyncio.sleep(0)
        if self.fails:
            raise StoreUnavailable
        return self.taken


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(SHOP)


def test_a_product_is_priced_at_most_once_a_second(catalogue: Catalogue) -> None:
    inventory, price_snapshots, winter = CountingInventory(), PriceSnapshots(catalogue), catalogue.product(1)

    async def ask(*after: float) -> None:
        for seconds in after:
            at = START + timedelta(seconds=seconds)
            assert (await price_snapshots.of(winter, inventory, at=at)).price_today == 8000

    asyncio.run(ask(0, 0.5, 0.999999))
    assert len(inventory.asked) == 1
    asyncio.run(ask(1, 1.5))
    assert len(inventory.asked) == 2
    asyncio.run(ask(0.5))  # the clock was set back: later prices are not used
    assert len(inventory.asked) == 3


def test_concurrent_requests_share_one_lookup(catalogue: Catalogue) -> None:
    inventory, price_snapshots, winter = CountingInventory(), PriceSnapshots(catalogue), catalogue.product(1)

    async def ask() -> list[Any]:
        asking = [
            price_snapshots.of(winter, inventory, at=START, with_next=bool(n % 2)) for n in range(1, 41)
        ]
        return await asyncio.gather(*asking)

    found = asyncio.run(ask())

    assert len(inventory.asked) == 1
    assert all(standing is found[0] for standing in found)


def test_the_next_availability_is_searched_when_first_requested(catalogue: Catalogue) -> None:
    inventory, price_snapshots, summer = CountingInventory(), PriceSnapshots(catalogue), catalogue.product(2)

    async def ask(*, with_next: bool) -> Any:
        return await price_snapshots.of(summer, inventory, at=START, with_next=with_next)

    first, second, third = (asyncio.run(ask(with_next=wanted)) for wanted in (False, True, False))

    assert first.next_option is None
    assert second.next_option is not None
    assert third is second
    # To the end of the next season, within the year in which the next availability is searched.
    assert inventory.asked == [
        (date(2026, 12, 1), date(2027, 10, 1)),
        (date(2026, 12, 1), date(2027, 12, 2)),
    ]


def test_pool_usage_is_not_read_for_a_product_without_validity(catalogue: Catalogue) -> None:
    inventory = CountingInventory()

    standing = asyncio.run(
        PriceSnapshots(catalogue).of(catalogue.product(5), inventory, at=START, with_next=True)
    )

    assert inventory.asked == []
    assert standing.price_today == 1250


def test_a_failure_is_not_remembered(catalogue: Catalogue) -> None:
    inventory, price_snapshots, winter = CountingInventory(), PriceSnapshots(catalogue), catalogue.product(1)

    async def ask() -> Any:
        inventory.fails = True
        failed = await asyncio.gather(
            *[price_snapshots.of(winter, inventory, at=START) for _ in range(3)], return_exceptions=True
        )
        inventory.fails = False
        return failed, await price_snapshots.of(winter, inventory, at=START)

    failed, standing = asyncio.run(ask())

    assert all(isinstance(error, StoreUnavailable) for error in failed)
    assert standing.price_today == 8000


def test_the_cache_is_bounded_by_the_size_of_the_catalogue(catalogue: Catalogue) -> None:
    views, price_snapshots, inventory = (
        ProductViews(catalogue),
        PriceSnapshots(catalogue),
        CountingInventory(),
    )

    for n in range(3):
        for product in catalogue.products:
            for language in ("en", "de", "fr", "it"):
                for with_next in (False, True):
                    at = START + timedelta(seconds=n)
                    standing = asyncio.run(price_snapshots.of(product, inventory, at=at, with_next=with_next))
                    views.product(product, language, standing, with_next=with_next)

    assert len(price_snapshots._known) == len(catalogue.products)
    assert views._page.cache_info().currsize == 4 * len(catalogue.products)
    assert not len(price_snapshots._locks)
