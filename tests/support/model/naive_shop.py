"""The model shop, which receives the same requests as the service and predicts the responses."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from support.model import naive_baskets
from support.model.asking import Foreseen, Kept, Request
from support.model.naive_baskets import Asked, Basket, Change, Moment, Refused, new_basket
from support.model.naive_payments import Payment, Payments
from support.model.naive_prices import Json
from support.model.picture import picture_of, standing_of
from support.model.tables import Slot, allowed, size

KEPT_FOR = timedelta(hours=24)
ANSWERED_FOR = timedelta(hours=24)  # after the expiry of a checkout


class NaiveShop:
    """All checkouts, and the units used of pools and codes."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self.clock = clock
        self.baskets: dict[str, Basket] = {}
        self.holds: dict[str, Counter[Slot]] = {}
        self.sold: Counter[Slot] = Counter()
        self.kept: dict[tuple[object, ...], Kept] = {}
        self.payments = Payments(self)
        self.shown: dict[tuple[str, str], Json] = {}
        self.saves = 0

    @property
    def now(self) -> datetime:
        return self.clock()

    # ------------------------------------------------------------ units in use

    def held(self, slot: Slot, *, without: str | None = None) -> int:
        """Return the units that open checkouts hold, except that at *without*."""
        return sum(
            holds.get(slot, 0) for url, holds in self.holds.items() if url != without and self.lives(url)
        )

    def held_by_all(self) -> Counter[Slot]:
        """Return the units that all open checkouts hold."""
        return sum([holds for url, holds in self.holds.items() if self.lives(url)], Counter())

    def lives(self, url: str) -> bool:
        return self.baskets[url].status(self.now) == "OPEN"

    def free(self, slot: Slot, *, without: str | None = None) -> int:
        return size(slot) - self.sold[slot] - self.held(slot, without=without)

    def check_places(self, before: Basket, after: Basket) -> None:
        """Refuse a checkout that needs more units of a slot than are free."""
        had = before.places()
        for slot, units in after.places().items():
            if units > had[slot] and units > self.free(slot, without=after.url):
                raise Refused(409, "sold-out")

    def spent_by_others(self, basket: Basket) -> Counter[Slot]:
        """Return the amounts that others use of the limits of the checkout's codes."""
        slots = [slot for code in basket.codes for slot in allowed(code)]
        return +Counter({slot: self.sold[slot] + self.held(slot, without=basket.url) for slot in slots})

    # ------------------------------------------------------------ requests

    def answer(self, request: Request) -> Foreseen:
        """Return the predicted response to any request."""
        is_keyed = request.key is not None and request.method != "DELETE"
        kept = self.kept.get(request.place) if is_keyed else None
        if kept is not None and self.now - kept.at <= KEPT_FOR:
            if kept.body != request.body:
                return Foreseen(422, "idempotency-key-reused")
            return replace(kept.foreseen, is_replayed=True)
        try:
            foreseen = self._answer(request)
        except Refused as refused:
            foreseen = Foreseen(refused.status, refused.code)
        passes = foreseen.is_passing or foreseen.status >= 500 or foreseen.code == "payment-in-progress"
        if is_keyed:
            self.kept.pop(request.place, None)
            if not passes:
                self.kept[request.place] = Kept(request.body, self.now, foreseen)
        return foreseen

    def _answer(self, request: Request) -> Foreseen:
        match request.method, request.tail:
            case "GET", "/payment/status":
                return self.standing(request)
            case "GET", _:
                return self.show(request)
            case _, "/payment":
                return self.payments.pay(request)
            case _:
                return self.change(request)

    def show(self, request: Request) -> Foreseen:
        """Return the view of the checkout; an open one is assigned to the first account that reads it."""
        basket = self.reached(request)
        is_open = basket.status(self.now) == "OPEN" and not basket.is_paying
        if request.account is not None and basket.account is None and is_open:
            return self.change(request.again(change=None, if_match=None))
        return self.seen(basket)

    def standing(self, request: Request) -> Foreseen:
        """Return the payment status of the checkout, which is assigned to the account as well."""
        basket = self.reached(request)
        if request.account is not None and basket.account is None:
            self.show(request)
        payments = self.payments.of(request.url)
        bill = None if payments else self.baskets[request.url].bill()
        return Foreseen(picture=standing_of(payments[-1] if payments else None, bill, self.now))

    def reached(self, request: Request) -> Basket:
        """Return the requested checkout if the customer may access it."""
        basket = self.baskets.get(request.url)
        if basket is None or basket.channel.uuid != request.channel:
            raise Refused(404, "unknown-checkout")
        if basket.account is not None and basket.account != request.account:
            raise Refused(404, "unknown-checkout")
        if basket.status(self.now - ANSWERED_FOR) == "EXPIRED":
            raise Refused(404, "unknown-checkout")
        return basket

    def opened(self, request: Request) -> tuple[Basket, Payment | None]:
        """Return a checkout that accepts changes, and its payment if that is past its deadline."""
        basket = self.reached(request)
        if basket.status(self.now) != "OPEN":
            raise Refused(409, f"checkout-{basket.status(self.now).lower()}")
        if request.if_match not in {None, -1, basket.revision}:
            raise Refused(412, "changed-meanwhile")
        if not basket.is_paying:
            return basket, None
        payment = self.payments.last(basket.url)
        if payment.is_open(self.now):
            raise Refused(409, "payment-in-progress")
        return basket, payment

    def change(self, request: Request) -> Foreseen:
        """Apply a change, or only the assignment to an account."""
        if request.url in self.baskets:
            basket, lapsed = self.opened(request)
        else:
            basket, lapsed = self._new(request), None
        draft = basket.draft()
        if request.change is not None:
            request.change(draft, Moment(self.now, self.sold.__getitem__))
        self.check_places(basket, draft)
        draft.account = request.account if draft.account is None else draft.account
        if draft.is_as(basket) and basket.revision:
            return self.seen(basket)
        draft.spent = self.spent_by_others(draft)
        self.save(draft, lapsed)
        return self.seen(draft)

    def _new(self, request: Request) -> Basket:
        if (request.method, request.tail) != ("POST", "/items"):
            raise Refused(404, "unknown-checkout")
        if request.if_match is not None:
            raise Refused(412, "changed-meanwhile")
        return new_basket(request.url, request.channel, self.now)

    def save(self, draft: Basket, lapsed: Payment | None = None) -> None:
        """Save a change: the checkout is open again, and a payment past its deadline is cancelled."""
        draft.save(self.now)
        self.put(draft)
        if lapsed is not None:
            lapsed.cancel(self.now)

    def put(self, basket: Basket) -> None:
        """Store a checkout in its current state."""
        self.baskets[basket.url] = basket
        self.holds[basket.url] = basket.places() + Counter(basket.claims)
        for status in ("OPEN", "EXPIRED", "CLOSED"):
            self.shown.pop((basket.url, status), None)
        self.saves += 1

    def close(self, basket: Basket) -> None:
        """Sell all units that a checkout holds."""
        bill = basket.bill()
        self.sold += basket.places() + Counter(bill.claims)
        basket.total = bill.total_gross
        basket.is_closed, basket.is_paying, basket.claims = True, False, {}
        self.put(basket)

    def seen(self, basket: Basket, *, is_passing: bool = False) -> Foreseen:
        """Return the current view of the checkout."""
        status = basket.status(self.now)
        if (basket.url, status) not in self.shown:
            provider = self.payments.provider(basket)
            self.shown[basket.url, status] = picture_of(basket, status, provider)
        picture = self.shown[basket.url, status]
        return Foreseen(picture=picture, revision=basket.revision, is_passing=is_passing)

    # ------------------------------------------------------------ changes by name

    @staticmethod
    def adding(asked: list[Asked]) -> Change:
        return lambda draft, moment: naive_baskets.add(draft, asked, moment)

    @staticmethod
    def removing(ids: list[int]) -> Change:
        return lambda draft, _: naive_baskets.remove(draft, ids)

    @staticmethod
    def changing(item_id: int, delta: int) -> Change:
        return lambda draft, moment: naive_baskets.change_quantity(draft, item_id, delta, moment)

    @staticmethod
    def answering(patch: Json) -> Change:
        return lambda draft, _: naive_baskets.answer(draft, patch)

    @staticmethod
    def entering(code: str) -> Change:
        return lambda draft, _: naive_baskets.enter(draft, code)

    @staticmethod
    def dropping(code: str) -> Change:
        return lambda draft, _: naive_baskets.drop(draft, code)
