"""The checks after every step: the reported capacity and the tables of the database."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from support.model.naive_prices import Json
from support.model.naive_shop import NaiveShop
from support.model.stage import Stage
from support.model.tables import WEB, Slot, cut_off, midnight, size

DAY, CAR_PARK, RUN, STAY = 1, 2, 3, 7
POOLS = {DAY: "mountain", CAR_PARK: "car-park", RUN: "run", STAY: "hut"}
NOBODY = "/api/checkout/3a1c5b7e-0000-4000-8000-000000000000"

LOOKS = (
    (DAY, "2026-12-26", "2026-12-28"),
    (CAR_PARK, "2026-12-26", "2026-12-27"),
    (RUN, "2026-12-27", "2026-12-27"),
    (STAY, "2026-12-26", "2026-12-28"),
    (RUN, "2027-03-28", "2027-03-28"),
    (RUN, "2027-10-31", "2027-10-31"),
)


class Watching:
    """A comparison of the service's responses and tables with the model."""

    def __init__(self, stage: Stage, shop: NaiveShop) -> None:
        self.stage = stage
        self.shop = shop
        self.looks = 0
        self.sold: Counter[Slot] = Counter()
        self.told: tuple[object, list[list[Json]]] = None, []

    def look(self, urls: list[str]) -> None:
        """Run all checks once per step."""
        if self.sold != self.shop.sold:
            self.sold = Counter(self.shop.sold)
            self.stage.read_sold_counts()
        self.looks += 1
        if self.looks % 3 == 0:
            self.places_are_told_as_they_are(urls)
        if self.looks % 3 == 1:
            self.everybody_is_told_the_same_for_a_second_at_most()
        if self.looks % 3 == 2:
            self.the_books_agree()
        self.the_database_holds_what_it_must()

    # ------------------------------------------------------------ capacity

    def places_are_told_as_they_are(self, urls: list[str]) -> None:
        """Compare the capacity for each customer, whose own holds count as free, and without a checkout."""
        url = (*urls, NOBODY)[self.looks % (len(urls) + 1)]
        basket = self.shop.baskets.get(url)
        # The requests are anonymous: the holds of an account's checkout count as free for that account only.
        own = url if basket and basket.channel.uuid == WEB and basket.account is None else None
        product, first, last = LOOKS[self.looks // 3 % len(LOOKS)]
        quantity = 1 + self.looks % 7
        query = {
            "dateFrom": first,
            "dateTo": last,
            "quantity": quantity,
            "checkoutId": url.rpartition("/")[2],
        }
        # A product not requested before has no cached response.
        options = self.validities(product, limit=100 + self.looks % 200, **query)
        assert options
        for option in options:
            told = option["availableCapacity"]
            assert told == self.capacity(option, product, own)
            is_sold = self.shop.now < sold_until(option, product)
            assert option["isAvailable"] == (is_sold and told["max"] >= quantity)
        only = self.validities(product, limit=100 + self.looks % 200, onlyAvailable="true", **query)
        assert only == [option for option in options if option["isAvailable"]]

    def validities(self, product: int, **query: object) -> list[Json]:
        path = f"/api/booking/products/{product}/journey/validities"
        options: list[Json] = self.stage.look(path, WEB, **query)["data"]["options"]
        return options

    def capacity(self, option: Json, product: int, without: str | None = None) -> Json:
        """Return the capacity of a validity; on the mountain for adults and for families of four."""
        free = min(self.shop.free(slot, without=without) for slot in slots_of(option, product))
        return {"kind": "range", "min": free // 4 if product == DAY else free, "max": free}

    def everybody_is_told_the_same_for_a_second_at_most(self) -> None:
        """Without saves, responses may only be outdated by the passage of time."""
        options = self.validities(DAY, dateFrom="2026-12-26", dateTo="2026-12-28")
        right = [self.capacity(option, DAY) for option in options]
        state = self.shop.saves, self.shop.now.replace(microsecond=0)
        if self.told[0] != state:
            self.told = state, []
        self.told[1].append(right)

        assert [option["availableCapacity"] for option in options] in self.told[1]

    # ------------------------------------------------------------ the database

    def the_database_holds_what_it_must(self) -> None:
        """Check that no capacity, code or balance is used beyond its limit."""
        shop, now = self.shop, self.shop.now.timestamp() * 1000
        rows = self.stage.database.execute("SELECT pool, slot, size, sold, held FROM capacity").fetchall()
        holds = self.stage.database.execute(
            "SELECT pool, slot, units, expires_at FROM holds JOIN checkouts ON id = checkout_id"
            " WHERE NOT is_sold"
        ).fetchall()
        every: Counter[Slot] = Counter()
        living: Counter[Slot] = Counter()
        for pool, slot, units, expires_at in holds:
            every[pool, slot] += units
            living[pool, slot] += units * (expires_at > now)
        for pool, slot, most, sold, held in rows:
            assert held == every[pool, slot]
            assert sold + held <= most == size((pool, slot))
        assert {(pool, slot): sold for pool, slot, _, sold, _ in rows if sold} == +shop.sold
        assert +living == shop.held_by_all()

    def the_books_agree(self) -> None:
        """Check that each order is paid once and has its tickets, and that the gateway agrees."""
        closed = [basket for basket in self.shop.baskets.values() if basket.is_closed]
        payments = self.shop.payments.all
        self.has("payments", "checkout_id, status, amount, due_at", [payment.row for payment in payments])
        self.has("orders", "id, total", [(basket.url, basket.total) for basket in closed])
        tickets = [(basket.url, item_id) for basket in closed for item_id in basket.items]
        self.has("tickets", "order_id, item_id", tickets)
        acts = {payment.charge: payment.act for payment in payments if payment.act is not None}
        assert self.stage.gateway.charges() == acts

    def has(self, table: str, columns: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Compare the rows of a table, with checkouts identified by path."""
        found = self.stage.database.execute(f"SELECT {columns} FROM {table}").fetchall()
        in_paths = [(f"/api/checkout/{checkout_id}", *others) for checkout_id, *others in found]
        assert Counter(in_paths) == Counter(rows)


def slots_of(option: Json, product: int) -> list[Slot]:
    """Return the slots that a validity in a response uses: by its days, its first day, or its hour."""
    start, end, pool = option["value"]["from"], option["value"]["to"], POOLS[product]
    if product == RUN:
        return [(pool, start[:16])]
    first, last = date.fromisoformat(start[:10]), date.fromisoformat(end[:10])
    days = 1 if product == STAY else (last - first).days
    return [(pool, f"{first + timedelta(days=n)}") for n in range(days)]


def sold_until(option: Json, product: int) -> datetime:
    """Return when the sale of a validity ends."""
    start: str = option["value"]["from"]
    if product == RUN:
        return datetime.fromisoformat(start)
    return cut_off(start[:10]) if product == DAY else midnight(start[:10])
