"""The complete machine: customers shop, pay, repeat requests, read and wait."""

from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from support.model.asking import Request
from support.model.machine import ACCOUNT, ANY, CHANNEL, KEYED, MATCH, PARTY, Customers, one_of
from support.model.naive_baskets import Basket
from support.model.naive_shop import KEPT_FOR
from support.model.stage import Answer
from support.model.tables import CHANNELS, CODES, SOLD, TURNS, VARIANTS, WISHES
from support.payment.fake_gateway import Act, Plan

MILLISECOND = timedelta(milliseconds=1)
EARLY = st.sampled_from((MILLISECOND, MILLISECOND, timedelta()))

PLANS = (Plan.SETTLE, Plan.SETTLE, Plan.WAIT, Plan.AUTHORIZE, Plan.DECLINE, Plan.FAIL_BEFORE, Plan.FAIL_AFTER)
ENTERED = st.sampled_from((*CODES[:-1], "ONCE", "ONCE", "SOLO", "HALF", "HALF", "GIFT", "RICH"))
PLAN = st.sampled_from((*PLANS, Plan.WAIT, Plan.WAIT, Plan.HANG_BEFORE, Plan.HANG_AFTER))
PROVIDER = st.sampled_from(("ANY", "ANY", "ANY", "ANY", "GATEWAY", "ON_SITE", None))


class Valley(Customers):
    """Customers of the valley, with rules beside shopping."""

    # ------------------------------------------------------------ rules: paying

    @precondition(lambda self: self.shop.baskets)
    @rule(n=ANY, plan=PLAN, provider=PROVIDER, off=st.integers(0, 15), keyed=KEYED, match=MATCH)
    def pay(self, n: int, plan: Plan, provider: str | None, off: int, keyed: bool, match: int | None) -> None:
        self.pay_for(self.some(n), plan, provider, off=off == 1, keyed=keyed, match=match)

    def pay_for(
        self, basket: Basket, plan: Plan, provider: str | None, *, off: int = 0, **others: Any
    ) -> None:
        """Pay the shown price of a checkout, or *off* it; if it has no account, as a customer with one."""
        if provider == "ANY":
            provider = "ON_SITE" if basket.channel.pays_on_site and basket.revision % 2 else "GATEWAY"
        total = (basket.bill().total_gross + 100 * off) / 100
        body = {"expectedTotal": total, "provider": provider}
        account = basket.account or (1 if provider == "GATEWAY" and basket.revision % 4 else None)
        request = self.request(basket.url, "POST", "/payment", body, account=account, **others)
        self.send_payment(request, plan)

    @rule(party=PARTY, codes=st.lists(ENTERED, max_size=3), channel=CHANNEL, plan=PLAN)
    def buy(self, party: list[int], codes: list[str], channel: str, plan: Plan) -> None:
        """Buy in one step: everything sold, used or spent is unavailable to others."""
        products = CHANNELS[channel].products
        sold = [n for n in range(SOLD) if VARIANTS[WISHES[n].variant].product in products]
        self.come([one_of(sold, n) for n in party], channel, 1 + len(self.urls) % 2, keyed=False)
        basket = self.shop.baskets.get(self.urls[-1])
        if basket is None:
            return
        for code in codes:
            self.enter(basket, code)
        self.pay_for(self.shop.baskets[basket.url], plan, "ANY")

    def send_payment(self, request: Request, plan: Plan) -> None:
        """Pay while the gateway has that plan."""
        payments, gateway = self.shop.payments, self.stage.gateway
        before, calls = len(payments.all), len(gateway.calls)
        payments.plan = plan
        gateway.plans.append(plan)
        self.ask(request)
        gateway.plans.clear()
        if len(payments.all) > before and len(gateway.calls) > calls:
            payments.all[-1].charge = gateway.calls[-1][1]

    @precondition(lambda self: self.shop.payments.waiting())
    @rule(n=ANY, act=st.sampled_from((Act.SETTLED, Act.SETTLED, Act.AUTHORIZED, Act.DECLINED)))
    def confirm(self, n: int, act: Act) -> None:
        """Confirm a pending payment at the gateway, in time or too late."""
        payment = one_of(self.shop.payments.waiting(), n)
        payment.act = act
        self.stage.gateway.confirm(payment.charge, act)

    @precondition(lambda self: self.shop.payments.waiting())
    @rule(n=ANY, early=EARLY, is_confirmed=st.booleans())
    def confirm_at_the_last_moment(self, n: int, early: timedelta, is_confirmed: bool) -> None:
        payment = one_of(self.shop.payments.waiting(), n)
        self.stage.clock.now = max(self.now, payment.deadline - early)
        if is_confirmed:
            payment.act = Act.SETTLED
            self.stage.gateway.confirm(payment.charge)
        self.look_after_payments()

    @precondition(lambda self: self.shop.payments.all)
    @rule()
    def look_after_payments(self) -> None:
        self.shop.payments.work()
        self.stage.work()

    @rule(is_down=st.sampled_from((True, False, False)))
    def let_the_gateway_fail(self, is_down: bool) -> None:
        self.shop.payments.is_down = self.stage.gateway.is_down = is_down

    @precondition(lambda self: self.shop.baskets)
    @rule(n=ANY, account=ACCOUNT)
    def ask_how_the_payment_stands(self, n: int, account: int | None) -> None:
        basket = self.some(n)
        owner = account if n % 4 == 0 else basket.account or account
        self.ask(self.request(basket.url, "GET", "/payment/status", account=owner))

    # ------------------------------------------------------------ rules: reading and repeating

    @precondition(lambda self: self.shop.baskets)
    @rule(n=ANY, language=st.sampled_from(("en", "de", "fr", "it")))
    def read(self, n: int, language: str) -> None:
        """Read a checkout in any language, and again with its ETag."""
        basket = self.some(n)
        answer = self.read_one(basket, language)
        if answer.status == 404:  # it expired a day ago
            return
        again = self.stage.ask(self.request(basket.url, "GET"), language=language, etag=answer.etag)
        assert (again.status, again.content, again.etag) == (304, b"", answer.etag)

    def read_one(self, basket: Basket, language: str) -> Answer:
        """Return the checkout as its customer reads it."""
        request = self.request(basket.url, "GET")
        foreseen = self.shop.answer(request)
        answer = self.stage.ask(request, language=language)
        self.compare(request, foreseen, answer, language)
        return answer

    @precondition(lambda self: self.shop.baskets)
    @rule(n=ANY, account=ACCOUNT, channel=CHANNEL)
    def read_as_somebody(self, n: int, account: int | None, channel: str) -> None:
        """Only the owner finds a checkout; one without an owner is assigned to the account."""
        basket = self.some(n)
        self.ask(self.request(basket.url, "GET", account=account, channel=channel))

    @precondition(lambda self: self.keyed)
    @rule(n=st.integers(0, 10**6), is_other=st.sampled_from((False, False, False, True)), plan=PLAN)
    def repeat_with_its_key(self, n: int, is_other: bool, plan: Plan) -> None:
        """The stored response, even a refusal, is repeated for a day: decisions §11.6."""
        request = one_of(self.keyed, n)
        if is_other and self.now - self.shop.kept[request.place].at <= KEPT_FOR:
            request = request.again(body={**(request.body or {}), "other": 1})
        self.send_payment(request, plan)

    # ------------------------------------------------------------ rules: time

    @rule(seconds=st.sampled_from((0.25, 0.25, 1, 1, 4, 20, 20, 59, 120, 300, 300, 600)))
    def wait(self, seconds: float) -> None:
        self.stage.clock.turn(seconds=seconds)

    @rule(n=ANY, early=EARLY)
    def wait_for_long(self, n: int, early: timedelta) -> None:
        """Rarely, since most checkouts expire: wait for hours, a day, or the start or end of a code."""
        turns = [turn for turn in TURNS if turn > self.now]
        if n < 6 and turns:
            self.stage.clock.now = max(self.now, turns[0] - early)
        elif n < 12:
            self.stage.clock.now += (timedelta(minutes=29), timedelta(hours=2), KEPT_FOR)[n % 3] - early

    @precondition(lambda self: self.opened())
    @rule(n=ANY, early=EARLY, cents=st.integers(1, 3))
    def wait_for_an_expiry(self, n: int, early: timedelta, cents: int) -> None:
        """Wait for the checkout that expires first, or for another one."""
        basket = min(self.opened(), key=lambda basket: basket.expires) if n < 60 else self.some(n)
        self.stage.clock.now = max(self.now, basket.expires - early)
        self.watching.places_are_told_as_they_are(self.urls)
        self.answer(basket, {"donation": cents})

    @precondition(lambda self: self.opened())
    @rule(n=ANY, times=st.integers(2, 5))
    def take_ones_time(self, n: int, times: int) -> None:
        """Keep the other checkouts alive with changes."""
        basket = self.some(n)
        for cents in range(times):
            self.stage.clock.turn(minutes=basket.channel.minutes - 1)
            for other in self.opened() if n % 2 else [self.shop.baskets[basket.url]]:
                self.answer(other, {"donation": cents})

    @rule()
    def keep_house(self) -> None:
        """Delete expired data, invisibly to customers."""
        self.stage.keep_house()

    # ------------------------------------------------------------ what holds after every step

    @invariant()
    def what_is_told_is_so(self) -> None:
        """Check that no checkout has changed by itself, open or not."""
        self.stage.steps += 1
        self.watching.look(self.urls)
        if self.shop.baskets:
            basket = one_of(list(self.shop.baskets.values()), self.watching.looks)
            self.read_one(basket, "en" if self.watching.looks % 2 else "de")
