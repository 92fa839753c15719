"""A catalogue that says everything a catalogue can say, as a file and as values of the core."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

from catalogue.samples import WEB
from faregate.access_rules import AccessTariff, QuantityTier
from faregate.catalogue import (
    Attribute,
    Catalogue,
    Category,
    Channel,
    ChannelType,
    DiscountCard,
    ExternalId,
    Medium,
    MediumIntent,
    Merchant,
    PaymentMethod,
    PaymentMethodType,
    PriceComponent,
    PriceModel,
    PriceRule,
    Product,
    ProductType,
    Surcharge,
    Variant,
)
from faregate.dates import DateRange, Duration
from faregate.discounts import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    FixedPrice,
    Level,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.form_fields import Choice, FieldKind, FormField
from faregate.policy import (
    CodeOrder,
    Fairness,
    PercentRounding,
    PriceBasis,
    Stacking,
    SubscriptionBasis,
    ThresholdBase,
    TotalsPolicy,
)
from faregate.renewals import DayCount, FirstPeriod, MonthlyOn, SubscriptionTerms
from faregate.tax import Tie, VatLevel, VatRate
from faregate.text import Text
from faregate.vouchers import Voucher

CET = timezone(timedelta(hours=1))

EVERYTHING = f"""\
currency: CHF
merchants:
  - {{identifier: lifts, timezone: Europe/Zurich}}
  - {{identifier: ferry, timezone: Asia/Tokyo, currency: JPY}}
categories: [{{id: 3, name: {{en: Tickets, de: Karten, fr: Billets, it: Biglietti}}}}]
discountCards: [{{id: 4, name: Half-fare card}}]
products:
  - id: 11
    slug: day-ticket
    identifier: DAY
    name: Day ticket
    translation: {{en: Day ticket, de: Tageskarte}}
    type: TICKET
    category: 3
    merchant: lifts
    priceModel: STATIC
    durations: [P1D, PT4H, P1DT2H30M, P1Y]
    media: [1]
    sortOrder: -2
    subscription:
      renewal: monthly-on:31
      firstPeriod: prorate
      dayCount: strict30/360
      minimalRunPeriods: 3
      hasPickup: true
    standalone: false
    hasValidity: true
    discountable: false
    imageUrl: /images/day-ticket.jpg
    displayPrice: false
    isDeletable: false
    requiresPersonalization: true
    requiresValidation: true
    requiresMedium: true
    isConfirmationRequired: true
    isFlexTicket: true
    isMaxOneTicketPerPerson: true
    isUniqueItem: true
    requiresOwner: true
    requiresBillingAddress: true
    requiresShippingAddress: true
    weatherGuarantee: [{{productVariant: 911, price: 5.05}}]
    allowsDepot: true
    quantityTiers: [{{minQuantity: 10, percent: 7.5, increment: 0.50}}, {{minQuantity: 50, percent: 100}}]
    personFields:
      - {{name: firstName, kind: text, title: {{en: First name, de: Vorname}}, required: true, maxLength: 80}}
      - {{name: email, kind: email, title: E-mail, description: For the receipt}}
    productVariants:
      - id: 101
        name: Adult
        translation: Grown-up
        vatRate: 8.1
        attributes:
          - identifier: age
            value: adult
            name: Age
            translation: {{en: Adult, fr: Adulte}}
            sortOrder: 5
            metaInformation: {{ageTo: "64", ageFrom: "18"}}
        externalIds:
          - {{system: gate, kind: dta_product_id, value: "1"}}
          - {{system: gate, kind: dta_consumer_category, value: "2"}}
          - {{system: till, kind: article, value: A1}}
        accessTariffs:
          - {{isOnline: false, isDepot: true, prices: [{{amount: 90.05}}, {{amount: 80, discountCard: 4}}]}}
          - {{prices: [{{amount: 85, duration: P1D}}]}}
        floorPrice: 40
        isStandard: true
        prices:
          - {{amount: 79.5, duration: P1D, discountCard: 4}}
          - {{amount: "81.05"}}
  - id: 12
    slug: crossing
    identifier: CROSSING
    name: Crossing
    type: SERVICE
    category: 3
    merchant: ferry
    hasValidity: false
    weatherGuarantee: [{{productVariant: 921, price: 300}}, {{productVariant: 922, price: 0}}]
    productVariants: [{{id: 121, name: Seat, vatRate: 10, prices: [{{amount: 1200}}]}}]
  - id: 91
    slug: fees
    identifier: FEES
    name: Fees
    type: FEE
    category: 3
    merchant: lifts
    productVariants: [{{id: 911, name: Fee, vatRate: 8.1, prices: [{{amount: 6}}]}}]
  - id: 92
    slug: ferry-fees
    identifier: FERRY_FEES
    name: Ferry fees
    type: FEE
    category: 3
    merchant: ferry
    productVariants:
      - {{id: 921, name: Storm, vatRate: 10, prices: [{{amount: 300}}]}}
      - {{id: 922, name: Fog, vatRate: 10, prices: [{{amount: 0}}]}}
media:
  - id: 1
    type: ACCESS
    name: {{en: Keycard, it: Tessera}}
    description: By post
    priceComponents: [{{productVariant: 911, price: 6, intent: SENDING_FEE}}]
channels:
  - uuid: {WEB.upper()}
    name: Web
    type: WEB
    products: [11]
    policy:
      priceBasis: net
      vatLevel: unit
      tie: net
      stacking: additive
      codeOrder: best
      percentRounding: price
      thresholdBase: running
      fairness: merchant
      subscriptionBasis: recurring
      vouchersPayDonation: true
      cashIncrement: 0.10
    canUsePromoCodes: false
    canUseVouchers: false
    paymentMethods:
      - {{type: VIS, supportsAlias: true, supportsRegistrationAndPayment: true}}
      - {{type: TWI}}
    canPayOnSite: true
    form:
      - {{name: arrival, kind: date, title: Arrival}}
      - {{name: guests, kind: integer, title: Guests, minimum: 0, maximum: 60}}
      - {{name: news, kind: boolean, title: News}}
      - name: heardFrom
        kind: choice
        title: Heard from
        choices: [{{value: friends, label: {{en: Friends, it: Amici}}}}, {{value: "1", label: One}}]
    requiresTerms: true
    expiresAfter: PT1M
    expiresAtMost: PT168H
    redirectUrls: [https://shop.example, "http://localhost:3000"]
  - {{uuid: 00000000-0000-0000-0000-000000000001, name: Tills, type: POS}}
autoDiscounts:
  - id: 1
    displayName: Early
    description: Book early
    discount: {{discountType: PERCENTAGE, percent: 7.5, level: line}}
    scope:
      products: [11]
      productVariants: [101]
      categories: [3]
      attributes: [{{identifier: age, value: adult}}]
      discountCards: [4]
      weekdays: [1, 7]
      days: {{from: 2026-12-26, to: 2027-01-03}}
      minLeadDays: 0
      maxLeadDays: 14
    priority: 3
    maxAmount: 25
  - {{id: 2, displayName: Bundle, discount: {{discountType: FIXED_PRICE, price: 99.9, groupSize: 3}}}}
promoCodes:
  - id: 1
    code: ten
    displayName: Ten
    description: Ten off
    discount: {{discountType: ABSOLUTE, amount: 10, level: line}}
    conditions:
      startsAt: 2026-12-01T00:00:00+01:00
      endsAt: 2027-01-01T00:00:00.5Z
      weekdays: [5]
      channels: [{WEB}]
      accounts: [77]
      thresholds:
        - {{spend: 50.05, quantity: 2, counting: {{products: [11]}}}}
    lane: -1
    priority: 2
    exclusive: true
    maxAmount: 8.05
    usesLeft: 0
    budgetLeft: 0
  - {{id: 2, code: PU, displayName: PU, discount: {{discountType: PER_UNIT, amount: 0.05}}}}
  - id: 3
    code: XY
    displayName: XY
    discount:
      {{discountType: BUY_X_GET_Y, buy: 2, get: 3, percent: 50, atMost: 4, rewards: {{products: [12]}}}}
  - {{id: 4, code: XYZ, displayName: XYZ, discount: {{discountType: BUY_X_GET_Y, buy: 3, get: 1}}}}
vouchers:
  - {{code: gift, balance: 100.05}}
  - {{code: LUNCH, balance: 0, expiresAt: 2099-12-31T23:59:59+01:00, singlePurposeVatRate: 2.6}}
"""

EXPECTED = Catalogue(
    merchants=(Merchant("lifts", "Europe/Zurich", "CHF"), Merchant("ferry", "Asia/Tokyo", "JPY")),
    categories=(Category(3, Text("Tickets", "Karten", "Billets", "Biglietti")),),
    discount_cards=(DiscountCard(4, Text("Half-fare card")),),
    products=(
        Product(
            id=11,
            slug="day-ticket",
            identifier="DAY",
            name="Day ticket",
            translation=Text("Day ticket", de="Tageskarte"),
            type=ProductType.TICKET,
            category=3,
            merchant="lifts",
            price_model=PriceModel.STATIC,
            durations=(
                Duration(days=1),
                Duration(seconds=14_400),
                Duration(days=1, seconds=9000),
                Duration(months=12),
            ),
            media=(1,),
            sort_order=-2,
            subscription=SubscriptionTerms(
                rule=MonthlyOn(31),
                first_period=FirstPeriod.PRORATE,
                minimal_run_periods=3,
                has_pickup=True,
                day_count=DayCount.STRICT_30_360,
            ),
            standalone=False,
            has_validity=True,
            discountable=False,
            image_url="/images/day-ticket.jpg",
            display_price=False,
            is_deletable=False,
            requires_personalization=True,
            requires_validation=True,
            requires_medium=True,
            is_confirmation_required=True,
            is_flex_ticket=True,
            is_max_one_ticket_per_person=True,
            is_unique_item=True,
            requires_owner=True,
            requires_billing_address=True,
            requires_shipping_address=True,
            weather_guarantee=(Surcharge(911, 505),),
            allows_depot=True,
            quantity_tiers=(QuantityTier(10, 75_000, 50), QuantityTier(50, 1_000_000)),
            person_fields=(
                FormField(
                    name="firstName",
                    kind=FieldKind.TEXT,
                    title=Text("First name", de="Vorname"),
                    required=True,
                    max_length=80,
                ),
                FormField(
                    name="email",
                    kind=FieldKind.EMAIL,
                    title=Text("E-mail"),
                    description=Text("For the receipt"),
                ),
            ),
            variants=(
                Variant(
                    id=101,
                    name="Adult",
                    translation=Text("Grown-up"),
                    rate=VatRate(81_000),
                    attributes=(
                        Attribute(
                            identifier="age",
                            value="adult",
                            name=Text("Age"),
                            translation=Text("Adult", fr="Adulte"),
                            sort_order=5,
                            meta_information=(("ageTo", "64"), ("ageFrom", "18")),
                        ),
                    ),
                    external_ids=(
                        ExternalId("gate", "dta_product_id", "1"),
                        ExternalId("gate", "dta_consumer_category", "2"),
                        ExternalId("till", "article", "A1"),
                    ),
                    access_tariffs=(
                        AccessTariff((PriceRule(9005), PriceRule(8000, None, 4)), False, True),
                        AccessTariff((PriceRule(8500, Duration(days=1)),)),
                    ),
                    floor_price=4000,
                    is_standard=True,
                    prices=(PriceRule(7950, Duration(days=1), 4), PriceRule(8105)),
                ),
            ),
        ),
        Product(
            id=12,
            slug="crossing",
            identifier="CROSSING",
            name="Crossing",
            translation=Text("Crossing"),
            type=ProductType.SERVICE,
            category=3,
            merchant="ferry",
            has_validity=False,
            weather_guarantee=(Surcharge(921, 300), Surcharge(922, 0)),
            variants=(
                Variant(
                    id=121,
                    name="Seat",
                    translation=Text("Seat"),
                    rate=VatRate(100_000),
                    prices=(PriceRule(1200),),
                ),
            ),
        ),
        Product(
            id=91,
            slug="fees",
            identifier="FEES",
            name="Fees",
            translation=Text("Fees"),
            type=ProductType.FEE,
            category=3,
            merchant="lifts",
            variants=(
                Variant(
                    id=911,
                    name="Fee",
                    translation=Text("Fee"),
                    rate=VatRate(81_000),
                    prices=(PriceRule(600),),
                ),
            ),
        ),
        Product(
            id=92,
            slug="ferry-fees",
            identifier="FERRY_FEES",
            name="Ferry fees",
            translation=Text("Ferry fees"),
            type=ProductType.FEE,
            category=3,
            merchant="ferry",
            variants=(
                Variant(
                    id=921,
                    name="Storm",
                    translation=Text("Storm"),
                    rate=VatRate(100_000),
                    prices=(PriceRule(300),),
                ),
                Variant(
                    id=922,
                    name="Fog",
                    translation=Text("Fog"),
                    rate=VatRate(100_000),
                    prices=(PriceRule(0),),
                ),
            ),
        ),
    ),
    media=(
        Medium(
            id=1,
            type="ACCESS",
            name=Text("Keycard", it="Tessera"),
            description=Text("By post"),
            price_components=(PriceComponent(911, 600, MediumIntent.SENDING_FEE),),
        ),
    ),
    channels=(
        Channel(
            uuid=WEB,
            name="Web",
            type=ChannelType.WEB,
            currency="CHF",
            products=frozenset({11}),
            can_use_promo_codes=False,
            can_use_vouchers=False,
            payment_methods=(
                PaymentMethod(PaymentMethodType.VIS, True, True),
                PaymentMethod(PaymentMethodType.TWI),
            ),
            can_pay_on_site=True,
            form=(
                FormField(name="arrival", kind=FieldKind.DATE, title=Text("Arrival")),
                FormField(name="guests", kind=FieldKind.INTEGER, title=Text("Guests"), minimum=0, maximum=60),
                FormField(name="news", kind=FieldKind.BOOLEAN, title=Text("News")),
                FormField(
                    name="heardFrom",
                    kind=FieldKind.CHOICE,
                    title=Text("Heard from"),
                    choices=(
                        Choice("friends", Text("Friends", it="Amici")),
                        Choice("1", Text("One")),
                    ),
                ),
            ),
            requires_terms=True,
            expires_after=timedelta(minutes=1),
            expires_at_most=timedelta(days=7),
            redirect_urls=("https://shop.example", "http://localhost:3000"),
            policy=TotalsPolicy(
                price_basis=PriceBasis.NET,
                vat_level=VatLevel.UNIT,
                tie=Tie.NET,
                stacking=Stacking.ADDITIVE,
                code_order=CodeOrder.BEST,
                percent_rounding=PercentRounding.PRICE,
                threshold_base=ThresholdBase.RUNNING,
                fairness=Fairness.MERCHANT,
                subscription_basis=SubscriptionBasis.RECURRING,
                vouchers_pay_donation=True,
                cash_increment=10,
            ),
        ),
        Channel(
            uuid="00000000-0000-0000-0000-000000000001",
            name="Tills",
            type=ChannelType.POS,
            currency="CHF",
            policy=TotalsPolicy(cash_increment=5),
            can_pay_on_site=True,
        ),
    ),
    automatic_discounts=(
        AutomaticDiscount(
            id=1,
            name=Text("Early"),
            description=Text("Book early"),
            kind=Percentage(parts_per_million=75_000, level=Level.LINE),
            scope=Scope(
                products=frozenset({11}),
                variants=frozenset({101}),
                categories=frozenset({3}),
                attributes=frozenset({("age", "adult")}),
                discount_cards=frozenset({4}),
                weekdays=frozenset({1, 7}),
                days=DateRange(date(2026, 12, 26), date(2027, 1, 4)),
                min_lead_days=0,
                max_lead_days=14,
            ),
            priority=3,
            max_amount=2500,
        ),
        AutomaticDiscount(id=2, name=Text("Bundle"), kind=FixedPrice(9990, 3)),
    ),
    promo_codes=(
        PromoCode(
            id=1,
            code="TEN",
            name=Text("Ten"),
            description=Text("Ten off"),
            kind=Absolute(1000, Level.LINE),
            conditions=Conditions(
                starts_at=datetime(2026, 12, 1, tzinfo=CET),
                ends_at=datetime(2027, 1, 1, 1, 0, 0, 500_000, tzinfo=CET),
                weekdays=frozenset({5}),
                channels=frozenset({WEB}),
                accounts=frozenset({77}),
                thresholds=(Threshold(5005, 2, Scope(products=frozenset({11}))),),
            ),
            lane=-1,
            priority=2,
            exclusive=True,
            max_amount=805,
            uses_left=0,
            budget_left=0,
        ),
        PromoCode(id=2, code="PU", name=Text("PU"), kind=PerUnit(5)),
        PromoCode(
            id=3,
            code="XY",
            name=Text("XY"),
            kind=BuyXGetY(2, 3, 500_000, 4, Scope(products=frozenset({12}))),
        ),
        PromoCode(id=4, code="XYZ", name=Text("XYZ"), kind=BuyXGetY(3, 1)),
    ),
    vouchers=(
        Voucher(code="GIFT", balance=10_005),
        Voucher(
            code="LUNCH",
            balance=0,
            expires_at=datetime(2099, 12, 31, 23, 59, 59, tzinfo=CET),
            single_purpose=VatRate(26_000),
        ),
    ),
)
