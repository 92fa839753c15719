"""The model's payments and their effects on the checkout. Decisions §12."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from support.model.naive_baskets import Basket, Refused
from support.model.naive_prices import Bill, Json
from support.payment.fake_gateway import Act, Plan

if TYPE_CHECKING:
    from support.model.asking import Foreseen, Request
    from support.model.naive_shop import NaiveShop

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PAYING_FOR = timedelta(minutes=15)
ASK_AFTER = timedelta(seconds=20)
ASK_AGAIN = timedelta(seconds=5)

DECLINED = ["The card was declined."]
NO_ANSWER = ["The payment gateway does not respond. Nothing was paid."]

KEEPING = {"AUTHORIZED", "SETTLED"}


@dataclass
class Payment:
    """An attempt to pay a checkout; ``act`` is the gateway's state, ``due`` when it is inquired."""

    url: str
    place: tuple[object, ...] | None
    provider: str | None
    amount: int
    vouchers: list[int]
    created: datetime
    deadline: datetime
    status: str = "PENDING"
    errors: list[str] = field(default_factory=list)
    due: datetime | None = None
    act: Act | None = None
    charge: str = ""

    def is_open(self, now: datetime) -> bool:
        """Return whether it may still succeed."""
        return self.status == "PENDING" and now < self.deadline

    def as_of(self, now: datetime) -> str:
        return "CANCELLED" if self.status == "PENDING" and not self.is_open(now) else self.status

    def end(self, status: str, due: datetime | None, errors: list[str] | None = None) -> None:
        """Set the status from now on."""
        self.status, self.due = status, due
        self.errors = errors or self.errors

    @property
    def row(self) -> tuple[str, str, int, int | None]:
        """Return the stored fields; ``due`` in milliseconds."""
        due = None if self.due is None else (self.due - EPOCH) // timedelta(milliseconds=1)
        return self.url, self.status, self.amount, due

    def cancel(self, now: datetime) -> None:
        """Cancel the payment at its deadline; a later success is refunded."""
        if self.status == "PENDING":
            self.end("CANCELLED", now)

    def patience(self, now: datetime) -> timedelta:
        """Return the delay before the next attempt to end it."""
        return min(max((now - self.created) / 4, timedelta(seconds=30)), timedelta(hours=1))


class Payments:
    """All payments of a shop, and the gateway's plan for the next one."""

    def __init__(self, shop: NaiveShop) -> None:
        self.shop = shop
        self.all: list[Payment] = []
        self.plan = Plan.SETTLE
        self.is_down = False
        self.addresses: dict[int, Json] = {}

    def of(self, url: str) -> list[Payment]:
        return [payment for payment in self.all if payment.url == url]

    def last(self, url: str) -> Payment:
        return self.of(url)[-1]

    def waiting(self) -> list[Payment]:
        """Return the payments that await the customer at the gateway."""
        return [payment for payment in self.all if payment.act is Act.PENDING]

    def provider(self, basket: Basket) -> str | None:
        """Return the provider of the payment method that a checkout shows."""
        if not (basket.is_paying or basket.is_closed):
            return None
        payment = self.last(basket.url)
        if payment.provider is None:
            return "VOUCHER_B" if any(payment.vouchers) else None
        return "VOUCHER_A" if payment.provider == "ON_SITE" else payment.provider

    # ------------------------------------------------------------ a customer pays

    def pay(self, request: Request) -> Foreseen:
        """Return the predicted response to a payment."""
        shop = self.shop
        before = shop.reached(request)
        if self._is_repeated(request):
            return shop.seen(before, is_passing=True)
        basket, lapsed = shop.opened(request)
        draft = basket.draft()
        draft.account = request.account if draft.account is None else draft.account
        self._check(draft)
        draft.spent = shop.spent_by_others(draft)
        shown = basket.bill()
        draft.changed = shop.now
        bill = draft.bill()
        is_other = (bill.total_gross, bill.due) != (shown.total_gross, shown.due)
        if is_other:
            shop.save(draft, lapsed)
        body = request.body or {}
        if is_other or bill.total_gross / 100 != body["expectedTotal"]:
            raise Refused(409, "total-changed")
        payment = self._begun(request, basket, bill)
        shop.save(draft, lapsed)
        self.all.append(payment)
        if payment.provider == "GATEWAY":
            return self._through_the_gateway(draft, payment, bill)
        payment.status = "SETTLED"
        self._close(draft)
        return shop.seen(draft)

    def _is_repeated(self, request: Request) -> bool:
        """Return whether the pending payment began with the same key, without a stored response."""
        earlier = self.of(request.url)
        if request.key is None or not earlier or earlier[-1].place != request.place:
            return False
        return earlier[-1].as_of(self.shop.now) in {"PENDING", *KEEPING}

    def _check(self, draft: Basket) -> None:
        if not draft.items:
            raise Refused(422, "empty-checkout")
        if draft.is_sent and "shippingAddress" not in draft.values:
            raise Refused(422, "address-required")

    def _begun(self, request: Request, basket: Basket, bill: Bill) -> Payment:
        default = None if request.account is None else "GATEWAY"
        provider = (request.body or {}).get("provider") or default
        if bill.due == 0:
            provider = None
        elif (
            provider is None
            or (provider == "GATEWAY" and request.account is None)
            or (provider == "ON_SITE" and not basket.channel.pays_on_site)
        ):
            raise Refused(422, "invalid-payment")
        place = request.place if request.key is not None else None
        paid = [amount for amount in bill.vouchers.values() if amount]
        now, earlier = self.shop.now, self.of(basket.url)
        # Payments in the same instant get increasing creation times.
        created = max([now, *[payment.created + timedelta(milliseconds=1) for payment in earlier]])
        return Payment(basket.url, place, provider, bill.due, paid, created, now + PAYING_FOR)

    def _through_the_gateway(self, draft: Basket, payment: Payment, bill: Bill) -> Foreseen:
        now = self.shop.now
        draft.is_paying, draft.claims = True, bill.claims
        draft.expires = max(draft.expires, now + PAYING_FOR)
        payment.due = now + ASK_AFTER
        plan = Plan.FAIL_BEFORE if self.is_down else self.plan
        payment.act = {
            Plan.SETTLE: Act.SETTLED,
            Plan.AUTHORIZE: Act.AUTHORIZED,
            Plan.DECLINE: Act.DECLINED,
            Plan.WAIT: Act.PENDING,
            Plan.FAIL_AFTER: Act.SETTLED,
            Plan.HANG_AFTER: Act.SETTLED,
        }.get(plan)
        match plan:
            case Plan.FAIL_BEFORE | Plan.FAIL_AFTER | Plan.HANG_BEFORE | Plan.HANG_AFTER:
                payment.end("FAILED", now, NO_ANSWER)
                self._open_again(draft)
                raise Refused(503, "gateway-unavailable")
            case Plan.DECLINE:
                payment.end("FAILED", None, DECLINED)
                self._open_again(draft)
            case Plan.WAIT:
                self.shop.put(draft)
            case _:
                self._settle(draft, payment)
        return self.shop.seen(self.shop.baskets[draft.url])

    def _settle(self, basket: Basket, payment: Payment) -> None:
        is_taken = payment.act is Act.SETTLED
        payment.end("SETTLED" if is_taken else "AUTHORIZED", None if is_taken else self.shop.now)
        closed = basket.draft()
        closed.revision += 1
        self._close(closed)

    def _close(self, basket: Basket) -> None:
        self.shop.close(basket)
        address = basket.values.get("shippingAddress")
        if basket.account is not None and address:
            self.addresses[basket.account] = address

    def _open_again(self, basket: Basket) -> None:
        opened = basket.draft()
        self.shop.save(opened)

    # ------------------------------------------------------------ background work

    def work(self) -> None:
        """Process all payments that are due."""
        due = [payment for payment in self.all if payment.due is not None and payment.due <= self.shop.now]
        for payment in due:
            match payment.status:
                case "PENDING":
                    self._inquire(payment)
                case "AUTHORIZED":
                    self._capture(payment)
                case _:
                    self._give_back(payment)

    def _inquire(self, payment: Payment) -> None:
        now = self.shop.now
        if not payment.is_open(now):
            payment.cancel(now)
            self._give_up(payment)
        elif self.is_down or payment.act is Act.PENDING:
            payment.due = now + ASK_AGAIN
        elif payment.act is Act.DECLINED:
            payment.end("FAILED", now, DECLINED)
            self._give_up(payment)
        else:
            self._settle(self.shop.baskets[payment.url], payment)

    def _give_up(self, payment: Payment) -> None:
        basket = self.shop.baskets[payment.url]
        if basket.is_paying and basket.status(self.shop.now) == "OPEN":
            self._open_again(basket)

    def _capture(self, payment: Payment) -> None:
        if self.is_down:
            payment.due = self.shop.now + payment.patience(self.shop.now)
        else:
            payment.act = Act.CAPTURED
            payment.end("SETTLED", None)

    def _give_back(self, payment: Payment) -> None:
        if self.is_down:
            payment.due = self.shop.now + payment.patience(self.shop.now)
        else:
            payment.act = Act.CANCELLED
            payment.due = None
