"""The expected values of the catalogue file that uses every option."""

from datetime import date, datetime, time, timedelta, timezone

from faregate.amount_due.vouchers import Voucher
from faregate.basket.policy import (
    CodeOrder,
    Fairness,
    PercentRounding,
    PriceBasis,
    Stacking,
    SubscriptionBasis,
    ThresholdBase,
    TotalsPolicy,
)
from faregate.catalogue.ages import AgeRange
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import (
    Channel,
    ChannelAccess,
    ChannelKey,
    ChannelType,
    PaymentMethod,
    PaymentMethodType,
)
from faregate.catalogue.entries import Category, DiscountCard, Merchant
from faregate.catalogue.gate_rules import AccessTariff, QuantityTier
from faregate.catalogue.presentation.form_fields import Choice, FieldKind, FormField
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.catalogue.products import (
    Attribute,
    ExternalId,
    Medium,
    MediumIntent,
    PriceComponent,
    Product,
    ProductType,
    Surcharge,
    Variant,
)
from faregate.dates.durations import Duration
from faregate.dates.instants import DateRange
from faregate.dates.times_of_day import TimeOfDay
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    Bundle,
    BundlePart,
    BuyXGetY,
    Conditions,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.subscriptions.proration import DayCount
from faregate.subscriptions.rules import MonthlyOn
from faregate.subscriptions.terms import FirstPeriod, SubscriptionTerms
from faregate.tax.changes import RateChange
from faregate.tax.rates import Tie, VatCategory, VatLevel, VatRate
from faregate.translations import Text
from support.files.samples import WEB

CET = timezone(timedelta(hours=1))

EXPECTED = Catalogue(
    merchants=(
        Merchant("lifts", timezone="Europe/Zurich", currency="CHF"),
        Merchant("ferry", timezone="Asia/Tokyo", currency="JPY"),
    ),
    categories=(Category(3, Text("Tickets", de="Karten", fr="Billets", it="Biglietti")),),
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
                day_count=DayCount.EVERY_MONTH_30,
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
            quantity_tiers=(QuantityTier(10, 75_000, increment=50), QuantityTier(50, 1_000_000)),
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
                    rate=VatRate(parts_per_million=81_000),
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
                        ExternalId(system="gate", kind="dta_product_id", value="1"),
                        ExternalId(system="gate", kind="dta_consumer_category", value="2"),
                        ExternalId(system="till", kind="article", value="A1"),
                    ),
                    ages=AgeRange(6, 15),
                    rate_changes=(RateChange(since=date(2030, 1, 1), rate=VatRate.percent("8.5")),),
                    access_tariffs=(
                        AccessTariff(
                            (PriceRule(9005), PriceRule(8000, discount_card=4)),
                            is_online=False,
                            is_depot=True,
                        ),
                        AccessTariff((PriceRule(8500, Duration(days=1)),)),
                    ),
                    floor_price=4000,
                    is_standard=True,
                    prices=(PriceRule(7950, Duration(days=1), discount_card=4), PriceRule(8105)),
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
                    rate=VatRate(parts_per_million=100_000),
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
                    rate=VatRate(parts_per_million=81_000),
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
                    rate=VatRate(parts_per_million=100_000),
                    prices=(PriceRule(300),),
                ),
                Variant(
                    id=922,
                    name="Fog",
                    translation=Text("Fog"),
                    rate=VatRate(
                        parts_per_million=0,
                        category=VatCategory.E,
                        reason_code="VATEX-EU-132",
                        reason="Fog",
                    ),
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
            price_components=(PriceComponent(variant=911, price=600, intent=MediumIntent.SENDING_FEE),),
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
                PaymentMethod(
                    PaymentMethodType.VIS, supports_alias=True, supports_registration_and_payment=True
                ),
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
                    choices=(Choice("friends", Text("Friends", it="Amici")), Choice("1", Text("One"))),
                ),
            ),
            requires_terms=True,
            expires_after=timedelta(minutes=1),
            expires_at_most=timedelta(days=7),
            redirect_urls=("https://shop.example", "http://localhost:3000"),
            shop_origins=("https://shop.example",),
            access=ChannelAccess.PROTECTED,
            keys=(
                ChannelKey(name="till", sha256="0" * 64, ends_at=datetime(2026, 12, 27, tzinfo=CET)),
                ChannelKey(name="next", sha256="e" * 64),
            ),
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
        ),
    ),
    automatic_discounts=(
        AutomaticDiscount(
            id=1,
            name=Text("Early"),
            exclusive=True,
            description=Text("Book early"),
            kind=Percentage(parts_per_million=75_000, level=DiscountLevel.LINE),
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
                excluded_products=frozenset({12}),
                excluded_variants=frozenset({101}),
                excluded_categories=frozenset({3}),
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
            kind=Absolute(1000, DiscountLevel.LINE),
            conditions=Conditions(
                starts_at=datetime(2026, 12, 1, tzinfo=CET),
                ends_at=datetime(2027, 1, 1, 1, 0, 0, 500_000, tzinfo=CET),
                weekdays=frozenset({5}),
                channels=frozenset({WEB}),
                accounts=frozenset({77}),
                customer_groups=frozenset({"staff"}),
                time_of_day=TimeOfDay(time(22), time(2)),
                thresholds=(Threshold(5005, 2, Scope(products=frozenset({11}))),),
            ),
            lane=-1,
            priority=2,
            exclusive=True,
            max_amount=805,
            max_units=2,
            max_units_per_line=1,
            uses_left=0,
            budget_left=0,
        ),
        PromoCode(id=2, code="PU", name=Text("PU"), kind=PerUnit(5)),
        PromoCode(
            id=3, code="XY", name=Text("XY"), kind=BuyXGetY(2, 3, 500_000, 4, Scope(products=frozenset({12})))
        ),
        PromoCode(id=4, code="XYZ", name=Text("XYZ"), kind=BuyXGetY(3, 1, spread=True)),
        PromoCode(
            id=5,
            code="SET",
            name=Text("Set"),
            kind=Bundle(
                parts=tuple(BundlePart(Scope(products=frozenset({11 + n})), 2 - n) for n in (0, 1)),
                price=8005,
                at_most=3,
                same_day=False,
            ),
        ),
        PromoCode(
            id=6,
            code="PART",
            name=Text("Part"),
            kind=Bundle(parts=(BundlePart(Scope(products=frozenset({11}))),), parts_per_million=75_000),
        ),
    ),
    vouchers=(
        Voucher(code="GIFT", balance=10_005),
        Voucher(
            code="LUNCH",
            balance=0,
            expires_at=datetime(2099, 12, 31, 23, 59, 59, tzinfo=CET),
            single_purpose=VatRate(parts_per_million=26_000),
            face_value=5000,
        ),
    ),
)
