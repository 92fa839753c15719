"""Customers of the valley; whatever they do, in any order, the model predicts each response."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from support.model.asking import Foreseen, Request
from support.model.naive_baskets import Asked, Basket
from support.model.naive_prices import Json
from support.model.naive_shop import NaiveShop
from support.model.picture import seen, seen_standing
from support.model.stage import Answer, Stage
from support.model.tables import CODES, COUNTER, PARTNERS, SOLD, WEB, WISHES
from support.model.watching import Watching
from support.service.service import item

MOST_AT_ONCE = 5
ADDRESS = {"addressLine1": "Dorfstrasse 1", "zip": "7000", "city": "Chur", "countryCode": "CH"}

Chosen = TypeVar("Chosen")

ANY = st.integers(0, 63)
"""Index of an object modulo their number, so that draws do not depend on it."""

KEYED = st.booleans()
CHANNEL = st.sampled_from((WEB, WEB, PARTNERS, COUNTER))
ACCOUNT = st.sampled_from((None, 1, 2))
WISH = st.sampled_from((*range(len(WISHES)), *range(SOLD), *range(SOLD), *range(SOLD), *range(8)))
PARTY = st.lists(WISH, min_size=1, max_size=4) | st.builds(
    lambda wish, units: [wish] * units, WISH, st.integers(0, 5)
)
CARD = st.sampled_from((None, None, None, 1, 9))
MATCH = st.sampled_from((*[None] * 12, -1, 0, 1))


def wire_of(asked: Asked, spelling: int) -> Json:
    """Return an item request as JSON, with its validity as days or as their instants."""
    wish, validity = asked.wish, None
    if wish.period is not None:
        start, end = (wish.first, wish.last) if spelling == 0 else wish.period
        validity = {"from": start, "to": end}
    others = {"parentItemId": asked.parent, "discountCardTypeId": asked.card, "validity": validity}
    return item(asked.id, wish.variant, **others)


def wire_patch(patch: Json) -> Json:
    """Return answers with the donation in francs."""
    cents = patch.get("donation")
    return patch | ({} if cents is None else {"donation": cents / 100})


def one_of(things: Sequence[Chosen], number: int) -> Chosen:
    """Return the object at that index modulo their number."""
    return things[number % len(things)]


class Customers(RuleBasedStateMachine):
    """Several customers on several channels of a resort with few units, uses and balances: shopping rules."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self.stage = stage
        stage.open()
        self.shop = NaiveShop(stage.clock)
        self.watching = Watching(stage, self.shop)
        self.urls: list[str] = []
        self.keyed: list[Request] = []
        self.numbers: dict[str, int] = {}
        self.bodies: dict[tuple[str, str], bytes] = {}

    def teardown(self) -> None:
        self.stage.close()

    @property
    def now(self) -> datetime:
        return self.stage.clock.now

    # ------------------------------------------------------------ one predicted request

    def ask(self, request: Request) -> Answer:
        """Return the response, which must equal the prediction."""
        foreseen = self.shop.answer(request)
        answer = self.stage.ask(request)
        self.compare(request, foreseen, answer)
        if request.key is not None and not foreseen.is_replayed:
            kept = self.shop.kept.get(request.place)
            if kept is not None and kept.body == request.body:
                kept.content = answer.content
                self.keyed.append(request)
        return answer

    def compare(self, request: Request, foreseen: Foreseen, answer: Answer, language: str = "en") -> None:
        """Check that a response equals the prediction."""
        code = None if answer.status == 200 else answer.data["code"]
        assert (answer.status, code) == (foreseen.status, foreseen.code), answer.content
        assert ("idempotency-replayed" in answer.headers) == foreseen.is_replayed
        if foreseen.is_replayed:
            assert answer.content == self.shop.kept[request.place].content
        elif foreseen.revision is not None:
            assert seen(answer.data["data"]) == foreseen.picture
            self.check_etag(request.url, answer, foreseen.revision, language)
        elif foreseen.picture is not None:
            assert seen_standing(answer.data["data"]) == foreseen.picture

    def check_etag(self, url: str, answer: Answer, revision: int, language: str) -> None:
        """Check that the ETag depends on revision, status and language, and is unique to a body."""
        told, status, *_ = parts = answer.etag.strip('"').split(".")
        # Releasing the holds of an expired checkout creates one more revision, once.
        assert int(told) in {revision, revision + (status == "EXPIRED")}
        assert parts[1:3] == [answer.data["data"]["status"], language]
        assert self.bodies.setdefault((url, answer.etag), answer.content) == answer.content

    def request(
        self, url: str, method: str, tail: str = "", body: Json | None = None, **others: Any
    ) -> Request:
        """Return a request of the checkout's customer; with ``keyed``, under a new key."""
        basket = self.shop.baskets.get(url)
        if basket is not None:
            others = {"channel": basket.channel.uuid, "account": basket.account, **others}
        if others.pop("keyed", False):
            others["key"] = f"key-{len(self.keyed)}-{self.shop.saves}"
        match = others.pop("match", None)
        if match is not None and basket is not None:
            others["if_match"] = match if match < 0 else basket.revision - match
        return Request(method, url, tail, body, **others)

    # ------------------------------------------------------------ the existing checkouts

    def living(self) -> list[str]:
        """Return the checkouts that may accept changes."""
        return [url for url in self.urls if self.status(url) == "OPEN"]

    def status(self, url: str) -> str:
        basket = self.shop.baskets.get(url)
        return "OPEN" if basket is None else basket.status(self.now)

    def opened(self) -> list[Basket]:
        return [self.shop.baskets[url] for url in self.living() if url in self.shop.baskets]

    def some(self, n: int) -> Basket:
        """Return an open checkout mostly, sometimes a paid or expired one."""
        baskets = list(self.shop.baskets.values())
        return one_of(self.opened() or baskets, n) if n < 60 else one_of(baskets, n)

    def item_of(self, basket: Basket, n: int) -> int:
        """Return the id of an item, sometimes an unknown one."""
        return one_of([*basket.items] or [77], n) if n < 60 else 78

    def new_ids(self, url: str, number: int) -> range:
        first = self.numbers.get(url, 1)
        self.numbers[url] = first + number
        return range(first, first + number)

    def add(self, url: str, asked: list[Asked], *, spelling: int = 0, **others: Any) -> Answer:
        """Add items."""
        body = {"items": [wire_of(entry, spelling) for entry in asked]}
        change = self.shop.adding(asked)
        return self.ask(self.request(url, "POST", "/items", body, change=change, **others))

    # ------------------------------------------------------------ rules: items

    @initialize(party=PARTY, channel=CHANNEL, account=ACCOUNT, keyed=KEYED)
    def come(self, party: list[int], channel: str, account: int | None, keyed: bool) -> None:
        url = f"/api/checkout/{UUID(int=len(self.urls) + (4 << 76) + (8 << 60))}"
        self.urls.append(url)
        wishes = [WISHES[wish] for wish in party]
        asked = [Asked(number, wish) for number, wish in zip(self.new_ids(url, 9), wishes, strict=False)]
        self.add(url, asked, channel=channel, account=account, keyed=keyed)

    @precondition(lambda self: len(self.living()) < MOST_AT_ONCE)
    @rule(party=PARTY, channel=CHANNEL, account=ACCOUNT, keyed=KEYED)
    def come_too(self, party: list[int], channel: str, account: int | None, keyed: bool) -> None:
        self.come(party, channel, account, keyed)

    @precondition(lambda self: self.living())
    @rule(n=ANY, party=PARTY, card=CARD, below=ANY, keyed=KEYED, match=MATCH, spelling=st.integers(0, 1))
    def want_more(
        self,
        n: int,
        party: list[int],
        card: int | None,
        below: int,
        keyed: bool,
        match: int | None,
        spelling: int,
    ) -> None:
        """The first item may have an existing parent, the last two each other."""
        url = one_of(self.living(), n)
        basket = self.shop.baskets.get(url)
        ids = self.new_ids(url, len(party))
        parents: list[int | None] = [None] * len(party)
        if basket and party and below % 2:
            parents[0] = self.item_of(basket, below // 2)
        if len(party) > 1 and below % 3:
            parents[-2 if below % 3 == 1 else -1] = ids[-1 if below % 3 == 1 else -2]
        wishes = [WISHES[wish] for wish in party]
        asked = [
            Asked(item_id, wish, parent, card)
            for item_id, wish, parent in zip(ids, wishes, parents, strict=True)
        ]
        channel = WEB if basket is None else basket.channel.uuid
        self.add(url, asked, keyed=keyed, match=match, spelling=spelling, channel=channel)

    @precondition(lambda self: self.opened())
    @rule(n=ANY, which=ANY, wish=WISH, keyed=KEYED)
    def say_it_again(self, n: int, which: int, wish: int, keyed: bool) -> None:
        """Repeat an item, send another item with its id, or reuse the id of a removed item."""
        basket = self.some(n)
        removed = [Asked(item_id, WISHES[wish]) for item_id in sorted(basket.removed)]
        there = [item.asked for item in basket.items.values() if item.asked.id < 2**31]
        other = [entry._replace(wish=WISHES[wish]) for entry in there]
        if there or removed:
            entry = one_of([*there, *other, *removed], which)
            self.add(basket.url, [entry], keyed=keyed, spelling=which % 2)

    @precondition(lambda self: self.opened())
    @rule(n=ANY, wish=st.sampled_from([wish for wish in WISHES if len(wish.slots) == 1]))
    def want_one_too_many_and_then_the_last(self, n: int, wish: Any) -> None:
        url = self.some(n).url
        room = self.shop.free(wish.slots[0]) // wish.units
        for units in (room + 1, room):
            ids = self.new_ids(url, units)
            self.add(url, [Asked(item_id, wish) for item_id in ids])

    @precondition(lambda self: self.opened())
    @rule(n=ANY, first=ANY, second=ANY, match=MATCH)
    def put_back(self, n: int, first: int, second: int, match: int | None) -> None:
        basket = self.some(n)
        ids = list(dict.fromkeys([self.item_of(basket, first), self.item_of(basket, second)]))
        query = "&".join(f"itemId={item_id}" for item_id in ids)
        change = self.shop.removing(ids)
        self.ask(self.request(basket.url, "DELETE", "/items", query=query, change=change, match=match))

    @precondition(lambda self: self.opened())
    @rule(n=ANY, which=ANY, delta=st.sampled_from((1, 2, 3, -1, -2, -3, 0)), keyed=KEYED, match=MATCH)
    def take_more_or_fewer(self, n: int, which: int, delta: int, keyed: bool, match: int | None) -> None:
        basket = self.some(n)
        item_id = self.item_of(basket, which)
        tail, change = f"/items/{item_id}/quantity", self.shop.changing(item_id, delta)
        request = self.request(
            basket.url, "PATCH", tail, {"delta": delta}, change=change, keyed=keyed, match=match
        )
        self.ask(request)

    # ------------------------------------------------------------ rules: conditions and codes

    def answer(self, basket: Basket, patch: Json, **others: Any) -> None:
        body, change = {"formValues": wire_patch(patch)}, self.shop.answering(patch)
        request = self.request(basket.url, "POST", "/checkout-conditions", body, change=change, **others)
        self.ask(request)

    @precondition(lambda self: self.opened())
    @rule(n=ANY, cents=st.sampled_from((None, 0, 1, 250, 999, 10_000, -1)), keyed=KEYED, match=MATCH)
    def donate(self, n: int, cents: int | None, keyed: bool, match: int | None) -> None:
        self.answer(self.some(n), {"donation": cents}, keyed=keyed, match=match)

    @precondition(lambda self: self.opened())
    @rule(n=ANY, which=ANY, medium=st.sampled_from((1, 1, 2, 3, None, 4)))
    def choose_a_medium(self, n: int, which: int, medium: int | None) -> None:
        basket = self.some(n)
        self.answer(basket, {"media": {str(self.item_of(basket, which)): medium}})

    @precondition(lambda self: self.opened())
    @rule(n=ANY, choice=st.sampled_from((True, True, False, None)), cents=st.sampled_from((None, 100)))
    def choose_the_weather_guarantee(self, n: int, choice: bool | None, cents: int | None) -> None:
        self.answer(self.some(n), {"weatherGuarantee": choice, "donation": cents})

    @precondition(lambda self: self.opened())
    @rule(n=ANY, address=st.sampled_from((ADDRESS, ADDRESS, None)), keyed=KEYED)
    def say_where_one_lives(self, n: int, address: Json | None, keyed: bool) -> None:
        self.answer(self.some(n), {"shippingAddress": address}, keyed=keyed)

    @precondition(lambda self: self.opened())
    @rule(n=ANY, code=st.sampled_from(CODES), spelling=st.integers(0, 2), keyed=KEYED, match=MATCH)
    def enter_a_code(self, n: int, code: str, spelling: int, keyed: bool, match: int | None) -> None:
        text = (code, code.lower(), f"  {code.title()} ")[spelling]
        self.enter(self.some(n), text, keyed=keyed, match=match)

    def enter(self, basket: Basket, text: str, **others: Any) -> None:
        body, change = {"voucherCode": text}, self.shop.entering(text)
        self.ask(self.request(basket.url, "POST", "/vouchers", body, change=change, **others))

    @precondition(lambda self: self.opened())
    @rule(n=ANY, which=ANY, code=st.sampled_from(CODES))
    def drop_a_code(self, n: int, which: int, code: str) -> None:
        basket = self.some(n)
        text = one_of([*basket.codes, code], which).lower()
        self.ask(self.request(basket.url, "DELETE", f"/vouchers/{text}", change=self.shop.dropping(text)))
