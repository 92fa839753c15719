"""Customers of a resort with few places, whose every answer is foreseen by ``serving.naive_places``."""

import sqlite3
import tempfile
from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from faregate_http.store import migrate
from serving.naive_places import (
    LIFETIME,
    LONGEST_LIFE,
    WISHES,
    Basket,
    NaivePlaces,
    Slot,
    Unit,
    Wish,
    size,
    slots_of,
    sold_until,
)
from serving.piste import CAR_PARK, DAY, MORNING, RUN, piste, validities
from serving.service import Clock, Json, data_of, new_url

__all__ = ["CapacityOverHttp"]

Refusal = tuple[int, str]

MILLISECOND = timedelta(milliseconds=1)
MOST_AT_ONCE = 5
NOBODY = "/api/checkout/3a1c5b7e-0000-4000-8000-000000000000"
KEPT_FOR = timedelta(hours=24)

PARTIES = st.lists(st.sampled_from(WISHES), max_size=4) | st.builds(
    lambda wish, number: [wish] * number, st.sampled_from(WISHES), st.integers(1, 5)
)


class Sent(NamedTuple):
    """A request that may be sent again, and what was answered to it."""

    method: str
    url: str
    body: Json
    key: str
    at: datetime
    status: int
    content: bytes


class CapacityOverHttp(RuleBasedStateMachine):
    """A few customers at once, each with a checkout, of a resort with few places."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "checkouts.db").write_bytes(the_empty_database())
        self.clock = Clock(MORNING)
        self.client = self.stack.enter_context(piste(folder, self.clock))
        self.client.event_hooks = {}  # others compare what is answered with what is declared
        self.database = sqlite3.connect(folder / "checkouts.db", isolation_level=None)
        self.stack.callback(self.database.close)
        self.places = NaivePlaces()
        self.urls: list[str] = []
        self.baskets: dict[str, Basket] = {}
        self.asked: list[tuple[str, list[tuple[int, Wish]]]] = []
        self.sent: list[Sent] = []
        self.looks = 0
        self.remembered: tuple[datetime, list[Json]] | None = None

    def teardown(self) -> None:
        self.stack.close()

    @property
    def now(self) -> datetime:
        return self.clock.now

    # ------------------------------------------------------------ one request, foreseen

    def expect(self, refusal: Refusal | None, response: Any, url: str, after: Basket | None) -> None:
        """The answer is the *refusal* that was foreseen, or the checkout as it is *after* the change."""
        if refusal is not None:
            assert (response.status_code, response.json().get("code")) == refusal, response.text
            return
        data = data_of(response)
        assert after is not None
        assert [entry["id"] for entry in data["items"]] == list(after.items)
        assert datetime.fromisoformat(data["expiresAt"]) == after.expires
        if after != self.baskets.get(url):
            self.baskets[url] = after
            self.places.give(url, after)
            self.remembered = None

    def send(self, method: str, url: str, path: str, body: Json, *, keyed: bool) -> Any:
        """The answer to a request, which is remembered if it has a key."""
        if not keyed:
            return self.client.request(method, f"{url}{path}", json=body)
        key = f"key-{len(self.sent)}"
        response = self.client.request(method, f"{url}{path}", json=body, headers={"idempotency-key": key})
        assert "idempotency-replayed" not in response.headers
        answered = response.status_code, response.content
        self.sent.append(Sent(method, f"{url}{path}", body, key, self.now, *answered))
        return response

    def changed(self, url: str, items: dict[int, Unit]) -> Basket:
        """The checkout with other items, and its time begun anew."""
        basket = self.baskets.get(url) or Basket(self.now, self.now)
        expires = min(self.now + LIFETIME, basket.started + LONGEST_LIFE)
        removed = basket.removed | set(basket.items.keys() - items.keys())
        return replace(basket, items=items, expires=expires, removed=removed)

    def refusal(self, url: str, new: list[Wish], items: dict[int, Unit]) -> Refusal | None:
        """Why a checkout cannot be given *new* wishes, and have *items* then."""
        before = self.baskets.get(url) or Basket(self.now, self.now)
        if self.is_over(url):
            return 409, "checkout-expired"
        if any(self.now >= wish.until for wish in new):
            return 422, "not-bookable"
        if items.keys() & before.removed:
            return 409, "id-used"
        if self.places.lacks(url, before.items.values(), items.values(), self.now):
            return 409, "sold-out"
        return None

    def is_over(self, url: str) -> bool:
        return url in self.baskets and self.now >= self.baskets[url].expires

    def living(self) -> list[str]:
        """The checkouts that take changes, or may be opened."""
        return [url for url in self.urls if not self.is_over(url)]

    def filled(self) -> list[str]:
        """Of those the ones with items."""
        return [url for url in self.living() if url in self.baskets and self.baskets[url].items]

    def ask_for(self, url: str, entries: list[tuple[int, Wish]], *, keyed: bool = False) -> None:
        """Add wishes, some of which may be there already."""
        basket = self.baskets.get(url)
        there = basket.items if basket else {}
        new = {item_id: Unit(wish, item_id) for item_id, wish in entries if item_id not in there}
        after = self.changed(url, {**there, **new}) if new or basket is None else basket
        refusal = self.refusal(url, [unit.wish for unit in new.values()], after.items)
        body = {"items": [wish.request(item_id) for item_id, wish in entries]}

        self.expect(refusal, self.send("POST", url, "/items", body, keyed=keyed), url, after)

    def ask_for_more(self, url: str, party: list[Wish], *, keyed: bool = False) -> None:
        """Add wishes under numbers that were not used before."""
        first = 1 + sum(len(entries) for _, entries in self.asked)
        self.asked.append((url, list(enumerate(party, start=first))))
        self.ask_for(*self.asked[-1], keyed=keyed)

    def give(self, url: str, amount: int, *, keyed: bool = False) -> None:
        """Set the donation."""
        basket = self.baskets[url]
        after = basket if amount == basket.donation else self.changed(url, basket.items)
        refusal = (409, "checkout-expired") if self.is_over(url) else None
        body = {"formValues": {"donation": amount}}

        response = self.send("POST", url, "/checkout-conditions", body, keyed=keyed)

        self.expect(refusal, response, url, replace(after, donation=amount))

    # ------------------------------------------------------------ what customers do

    @initialize(party=PARTIES)
    def come(self, party: list[Wish]) -> None:
        self.urls.append(new_url())
        self.ask_for_more(self.urls[-1], party)

    @precondition(lambda self: len(self.living()) < MOST_AT_ONCE)
    @rule(party=PARTIES)
    def come_too(self, party: list[Wish]) -> None:
        self.come(party)

    @precondition(lambda self: self.living())
    @rule(data=st.data(), party=PARTIES, keyed=st.booleans())
    def want_more(self, data: st.DataObject, party: list[Wish], keyed: bool) -> None:
        self.ask_for_more(data.draw(st.sampled_from(self.living())), party, keyed=keyed)

    @precondition(lambda self: self.living())
    @rule(data=st.data(), wish=st.sampled_from([wish for wish in WISHES if len(wish.slots) == 1]))
    def want_one_too_many_and_then_the_last(self, data: st.DataObject, wish: Wish) -> None:
        url = data.draw(st.sampled_from(self.living()))
        self.ask_for_more(url, [wish])
        room = self.places.free(wish.slots[0], self.now) // wish.units

        self.ask_for_more(url, [wish] * (room + 1))
        self.ask_for_more(url, [wish] * room)

    @rule(data=st.data())
    def say_it_again(self, data: st.DataObject) -> None:
        self.ask_for(*data.draw(st.sampled_from(self.asked)))

    @precondition(lambda self: self.filled())
    @rule(data=st.data())
    def put_back(self, data: st.DataObject) -> None:
        url = data.draw(st.sampled_from(self.filled()))
        items = self.baskets[url].items
        some = st.sets(st.sampled_from(sorted(items)), min_size=1, max_size=3)
        gone = data.draw(some | st.just(set(items)))

        response = self.client.delete(f"{url}/items", params={"itemId": sorted(gone)})

        left = {item_id: unit for item_id, unit in items.items() if item_id not in gone}
        self.expect(None, response, url, self.changed(url, left))

    @precondition(lambda self: self.filled())
    @rule(data=st.data(), delta=st.sampled_from((1, 2, 3, 4, -1, -2, -3)), keyed=st.booleans())
    def take_more_or_fewer(self, data: st.DataObject, delta: int, keyed: bool) -> None:
        url = data.draw(st.sampled_from(self.filled()))
        basket = self.baskets[url]
        item_id = data.draw(st.sampled_from(sorted(basket.items)))
        unit, group = basket.items[item_id], basket.group(item_id)
        if delta > 0:
            copies = {basket.next_copy + n: unit for n in range(delta)}
            after = self.changed(url, {**basket.items, **copies})
            after.next_copy += delta
            refusal = self.refusal(url, [unit.wish], after.items)
        else:
            left = {other: kept for other, kept in basket.items.items() if other not in group[delta:]}
            after = self.changed(url, left)
            refusal = (422, "invalid-delta") if -delta > len(group) else None

        response = self.send("PATCH", url, f"/items/{item_id}/quantity", {"delta": delta}, keyed=keyed)

        self.expect(refusal, response, url, after)

    @precondition(lambda self: self.baskets)
    @rule(data=st.data(), amount=st.integers(0, 2), keyed=st.booleans())
    def donate(self, data: st.DataObject, amount: int, keyed: bool) -> None:
        self.give(data.draw(st.sampled_from(sorted(self.baskets))), amount, keyed=keyed)

    @precondition(lambda self: self.filled())
    @rule(data=st.data(), times=st.integers(2, 5))
    def take_ones_time(self, data: st.DataObject, times: int) -> None:
        url = data.draw(st.sampled_from(self.filled()))
        for amount in range(times):
            self.clock.turn(minutes=29)
            self.give(url, amount)

    @precondition(lambda self: any(self.is_over(url) for url in self.urls))
    @rule(data=st.data())
    def come_too_late(self, data: st.DataObject) -> None:
        url = data.draw(st.sampled_from([url for url in self.urls if self.is_over(url)]))

        removal = self.client.delete(f"{url}/items", params={"itemId": 1})
        shown = data_of(self.client.get(url))

        assert (removal.status_code, removal.json()["code"]) == (409, "checkout-expired")
        assert shown["status"] == "EXPIRED"
        assert {entry["status"] for entry in shown["items"]} <= {"RELEASED"}

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def repeat_a_request_with_its_key(self, data: st.DataObject) -> None:
        """A refusal is given again as well, though there may be places by now: decisions §11.6."""
        before = data.draw(st.sampled_from(self.sent))
        if before.at < self.now - KEPT_FOR:
            return

        headers = {"idempotency-key": before.key}
        response = self.client.request(before.method, before.url, json=before.body, headers=headers)

        assert (response.status_code, response.content) == (before.status, before.content)
        assert response.headers["idempotency-replayed"] == "true"

    @rule(seconds=st.sampled_from((0.25, 1, 59, 10 * 60, 29 * 60, 2 * 3600)))
    def wait(self, seconds: float) -> None:
        self.clock.turn(seconds=seconds)

    @precondition(lambda self: self.filled())
    @rule(data=st.data(), early=st.sampled_from((MILLISECOND, timedelta())))
    def wait_for_an_expiry(self, data: st.DataObject, early: timedelta) -> None:
        url = data.draw(st.sampled_from(self.filled()))
        self.clock.now = max(self.now, self.baskets[url].expires - early)
        self.places_are_told_as_they_are()

        self.give(url, 9)

    # ------------------------------------------------------------ what is told of the places

    @invariant()
    def places_are_told_as_they_are(self) -> None:
        self.looks += 1
        url = (*self.urls, NOBODY)[self.looks % (len(self.urls) + 1)]
        day = ("2026-12-27", "2027-03-28", "2027-10-31")[self.looks // 2 % 3]

        self.look(DAY, "mountain", "2026-12-26", "2026-12-28", url)
        if self.looks % 2:
            self.look(CAR_PARK, "car-park", "2026-12-26", "2026-12-27", url)
        else:
            self.look(RUN, "run", day, day, url)

    def look(self, product: int, pool: str, first: str, last: str, url: str) -> None:
        """Ask what was not asked before, so that no answer is a remembered one."""
        quantity = 1 + self.looks % 10
        query = {"dateFrom": first, "dateTo": last, "checkoutId": url.rpartition("/")[2]}
        answer = validities(self.client, product, quantity=quantity, limit=100 + self.looks, **query)
        assert answer["data"]["options"]
        for option in answer["data"]["options"]:
            told = option["availableCapacity"]
            assert told == self.capacity(option, pool, url)
            is_sold = self.now < sold_until(option, pool)
            assert option["isAvailable"] == (is_sold and told["max"] >= quantity)
        if self.looks % 3 == 0:
            only = validities(self.client, product, quantity=quantity, onlyAvailable="true", **query)
            assert only["data"]["options"] == [
                option for option in answer["data"]["options"] if option["isAvailable"]
            ]

    def capacity(self, option: Json, pool: str, without: str | None = None) -> Json:
        """The capacity of a validity; on the mountain of adults and of families, who take four places."""
        free = min(self.places.free(slot, self.now, without=without) for slot in slots_of(option, pool))
        return {"kind": "range", "min": free // 4 if pool == "mountain" else free, "max": free}

    @invariant()
    def everybody_is_told_the_same_for_a_second_at_most(self) -> None:
        """While nothing is saved: only that time goes by may be seen late."""
        second = self.now.replace(microsecond=0)
        options = validities(self.client, dateFrom="2026-12-26", dateTo="2026-12-28")["data"]["options"]
        told = [option["availableCapacity"] for option in options]
        right = [self.capacity(option, "mountain") for option in options]
        if self.remembered is None or self.remembered[0] != second:
            self.remembered = second, right

        assert told in (right, self.remembered[1])

    @invariant()
    def the_database_holds_what_it_must(self) -> None:
        rows = self.database.execute("SELECT pool, slot, size, sold, held FROM capacity").fetchall()
        holds = self.database.execute(
            "SELECT pool, slot, units, expires_at FROM holds JOIN checkouts ON id = checkout_id"
        ).fetchall()
        every: Counter[Slot] = Counter()
        living: Counter[Slot] = Counter()
        for pool, slot, units, expires_at in holds:
            every[pool, slot] += units
            living[pool, slot] += units * (expires_at > self.now.timestamp() * 1000)
        for pool, slot, places, sold, held in rows:
            assert sold == 0
            assert held == every[pool, slot] <= places == size((pool, slot))
        assert +living == +Counter({slot: self.places.held(slot, self.now) for slot in self.places.taken})


@cache
def the_empty_database() -> bytes:
    """Migrated once: to copy a file is quicker."""
    with tempfile.TemporaryDirectory() as folder:
        migrate(f"sqlite:///{folder}/checkouts.db")
        return (Path(folder) / "checkouts.db").read_bytes()
