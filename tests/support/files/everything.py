"""A catalogue file that uses every option."""

from support.files.samples import WEB

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
      dayCount: every-month-30
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
        ages: {{from: 6, to: 15}}
        vatRateChanges: [{{from: 2030-01-01, vatRate: 8.5}}]
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
      - id: 922
        name: Fog
        vatRate: {{percent: 0, category: E, reason: Fog, reasonCode: VATEX-EU-132}}
        prices: [{{amount: 0}}]
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
    access: protected
    canPayOnSite: true
    keys:
      - {{name: till, sha256: "{"0" * 64}", endsAt: "2026-12-27T00:00:00+01:00"}}
      - {{name: next, sha256: {"e" * 64}}}
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
    shopOrigins: [https://shop.example]
  - {{uuid: 00000000-0000-0000-0000-000000000001, name: Tills, type: POS}}
autoDiscounts:
  - id: 1
    displayName: Early
    exclusive: true
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
      excludedProducts: [12]
      excludedProductVariants: [101]
      excludedCategories: [3]
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
      customerGroups: [staff]
      timeOfDay: {{from: 22:00, until: 02:00}}
      thresholds:
        - {{spend: 50.05, quantity: 2, counting: {{products: [11]}}}}
    lane: -1
    priority: 2
    exclusive: true
    maxAmount: 8.05
    maxUnits: 2
    maxUnitsPerLine: 1
    usesLeft: 0
    budgetLeft: 0
  - {{id: 2, code: PU, displayName: PU, discount: {{discountType: PER_UNIT, amount: 0.05}}}}
  - id: 3
    code: XY
    displayName: XY
    discount:
      {{discountType: BUY_X_GET_Y, buy: 2, get: 3, percent: 50, atMost: 4, rewards: {{products: [12]}}}}
  - id: 4
    code: XYZ
    displayName: XYZ
    discount: {{discountType: BUY_X_GET_Y, buy: 3, get: 1, spread: true}}
  - id: 5
    code: SET
    displayName: Set
    discount:
      discountType: BUNDLE
      parts: [{{scope: {{products: [11]}}, units: 2}}, {{scope: {{products: [12]}}}}]
      price: 80.05
      atMost: 3
      sameDay: false
  - id: 6
    code: PART
    displayName: Part
    discount: {{discountType: BUNDLE, parts: [{{scope: {{products: [11]}}}}], percent: 7.5}}
vouchers:
  - {{code: gift, balance: 100.05}}
  - {{code: LUNCH, balance: 0, faceValue: 50, singlePurposeVatRate: 2.6,
     expiresAt: 2099-12-31T23:59:59+01:00}}
"""
