"""Faults of shape in a catalogue file, reported with line, ``loc`` and reason."""

import pytest

from support.files.samples import CATALOGUE, WEB, catalogue_faults, spoilt

DATE_TIME = "2026-12-27T00:00:00+01:00"
PRINTABLE = "expected printable text without leading or trailing spaces"

ENDS = "endsAt 2025-12-31T23:00:00+00:00"
STARTS = "startsAt 2026-01-01T00:00:00+01:00"
PRICE = "23: products[0].productVariants[0].prices[0]"
VARIANT = "products[0].productVariants[0]"
AUTO = "29: autoDiscounts[0]"
CODE = "promoCodes[0]"
NEXT = "15: products[0]"
IMAGE = "expected an https URL or a path such as /images/ticket.jpg, without spaces"
ATTRIBUTE = """attributes:
          - identifier: a
            value: b
            name: A
            translation: B
            metaInformation:"""
META = f"27: {VARIANT}.attributes[0].metaInformation"
FIELD = "27: channels[0].form[0]"
REDIRECT = "27: channels[0].redirectUrls[0]"
ELAPSED = "expected hours, minutes and seconds such as PT30M"

SHAPES = [
    # currencies
    ("currency: CHF\n", "", "1: currency: is missing"),
    ("CHF", "chf", "1: currency: unknown currency 'chf': write 'CHF'"),
    ("CHF", "DEM", "1: currency: unknown currency 'DEM': Deutsche Mark, withdrawn 2002-03"),
    # time zones
    (
        "Europe/Zurich",
        "Europe/Zürich",
        "3: merchants[0].timezone: unknown time zone 'Europe/Zürich': did you mean 'Europe/Zurich'?",
    ),
    ("Europe/Zurich", "Mars/Olympus", "3: merchants[0].timezone: unknown time zone 'Mars/Olympus'"),
    ("percent: 8", "precent: 8", f"{AUTO}.discount.precent: unknown key: did you mean 'percent'?"),
    ("slug: day-ticket", "slug: day-ticket\n    xyz: 1", "11: products[0].xyz: unknown key"),
    ("id: 101", "id: 101\n        id: 102", f"20: {VARIANT}.id: duplicate key, first on line 19"),
    ("slug: day-ticket", "slug: day-ticket\n    <<: {}", "11: products[0].'<<': unknown key"),
    # types
    ("id: 11\n", "id: '11'\n", "9: products[0].id: expected a whole number, got '11'"),
    ("name: Day ticket", 'name: "Day\\u0007"', f"12: products[0].name: {PRINTABLE}, got 'Day\\x07'"),
    ("name: Tickets", "name: {de: Karten}", "5: categories[0].name.en: is missing"),
    ("name: Tickets", "name: {en: Tickets, es: Billetes}", "5: categories[0].name.es: unknown key"),
    (
        "type: WEB",
        "type: POS, keys: [{name: till, sha256: a-key-by-mistake}]",
        "27: channels[0].keys[0].sha256: expected 64 hexadecimal digits, as printed by faregate channel-key",
    ),
    (
        "slug: day-ticket",
        "slug: Day Ticket",
        "10: products[0].slug: expected lower-case letters, digits and single hyphens, got 'Day Ticket'",
    ),
    (
        "category: 1",
        "category: 1\n    standalone: no",
        "15: products[0].standalone: expected true or false, got 'no'",
    ),
    (WEB, WEB.replace("-", ""), f"27: channels[0].uuid: expected a UUID, got '{WEB.replace('-', '')}'"),
    ("code: TEN", "code: TEN/5", f"32: {CODE}.code: expected a code valid in a URL path, got 'TEN/5'"),
    # amounts
    ("79.50", "79.005", f"{PRICE}.amount: 79.005 has more decimals than CHF, which has 2"),
    ("79.50", ".nan", f"{PRICE}.amount: expected a finite number, got NaN"),
    ("79.50", "1_000", f"{PRICE}.amount: '1_000' is not an amount"),
    ("79.50", '"79,50"', f"{PRICE}.amount: '79,50' is not an amount"),
    ("79.50", "1e11", f"{PRICE}.amount: 1E+11 exceeds the limit of 1000000000000 minor units"),
    ("amount: 10", "amount: 0", f"34: {CODE}.discount.amount: expected more than 0, got 0"),
    ("spend: 50", "spend: 0", f"36: {CODE}.conditions.thresholds[0]: expected spend or quantity above 0"),
    (
        "vatRate: 8.1",
        "vatRate: 8.10005",
        f"21: {VARIANT}.vatRate: 8.10005 % is not a whole number of parts per million",
    ),
    (
        "percent: 8",
        "percent: 0.01",
        f"{AUTO}.discount.percent: expected more than 0.01 and at most 100 percent, got 0.01",
    ),
    # times
    (
        "[P1D]",
        "[P0D]",
        "16: products[0].durations[0]: expected a duration from one second to a century, got 'P0D'",
    ),
    (
        "conditions:",
        "conditions:\n      startsAt: 2026-12-01T00:00:00",
        f"36: {CODE}.conditions.startsAt: 2026-12-01T00:00:00 has no UTC offset: write it as in {DATE_TIME}",
    ),
    (
        "conditions:",
        "conditions:\n      startsAt: 2026-01-01T00:00:00+01:00\n      endsAt: 2025-12-31T23:00:00Z",
        f"35: {CODE}.conditions: {ENDS} is not after {STARTS}",
    ),
    (
        "conditions:",
        "scope: {days: {from: 2026-12-27, to: 2026-12-26}}\n    conditions:",
        f"35: {CODE}.scope.days: the last day, 2026-12-26, is before the first day, 2026-12-27",
    ),
    (
        "conditions:",
        "scope: {minLeadDays: 5, maxLeadDays: 4}\n    conditions:",
        f"35: {CODE}.scope: maxLeadDays 4 is below minLeadDays 5",
    ),
    (
        "PERCENTAGE, percent: 8",
        "BUNDLE, percent: 8, price: 9, parts: [{scope: {}}]",
        f"{AUTO}.discount: expected either price or percent",
    ),
    # requirements of a checkout
    *(
        ("category: 1", f"category: 1\n    imageUrl: '{url}'", f"{NEXT}.imageUrl: {IMAGE}, got {url!r}")
        for url in (
            *(
                "",
                "image.jpg",
                "http://images.example/a.jpg",
                "https://",
                "https:///a.jpg",
                "//evil.example/a",
            ),
            *("/a b.jpg", "/a\\b", "/\\evil.example", "javascript:alert(1)", "https://user@images.example/"),
            *("https://images.example:/", "https://images.example:123456/", "/ä.jpg", '/"onload="', "/<b>"),
        )
    ),
    ("category: 1", 'category: 1\n    imageUrl: "/a\\n"', f"{NEXT}.imageUrl: {IMAGE}, got '/a\\n'"),
    ("prices:", f"{ATTRIBUTE} {{a: ''}}\n        prices:", f"{META}.a: {PRINTABLE}, got ''"),
    ("prices:", f"{ATTRIBUTE} {{ok: fine, ' x': X}}\n        prices:", f"{META}.' x': {PRINTABLE}, got ' x'"),
    *(
        (
            "type: WEB}",
            f"type: WEB, form: [{{name: {name}, kind: date, title: A}}]}}",
            f"{FIELD}.name: expected a name such as firstName, got {name}",
        )
        for name in ("''", "'Name'", "'first-name'", "'first name'", "'1st'", "'__proto__'", "'né'", "'a.b'")
    ),
    (
        "type: WEB}",
        f"type: WEB, form: [{{name: a, kind: integer, title: A, maximum: {2**53}}}]}}",
        f"{FIELD}.maximum: expected at most {2**53 - 1}, got {2**53}",
    ),
    (
        "type: WEB}",
        "type: WEB, redirectUrls: ['http://shop.example']}",
        f"{REDIRECT}: expected https, got http on 'shop.example'",
    ),
    *(
        ("type: WEB}", f"type: WEB, expiresAfter: {text}}}", f"27: channels[0].expiresAfter: {fault}")
        for text, fault in (
            ("P1D", f"{ELAPSED}, got 'P1D'"),
            ("P1DT1H", f"{ELAPSED}, got 'P1DT1H'"),
            ("P1M", f"{ELAPSED}, got 'P1M'"),
            ("30", f"{ELAPSED}, got 30"),
            ("PT59S", "expected a duration from PT1M to PT168H, got 'PT59S'"),
            ("PT168H1S", "expected a duration from PT1M to PT168H, got 'PT168H1S'"),
            ("PT0S", "expected a duration from one second to a century, got 'PT0S'"),
            ("'0:30'", "invalid ISO 8601 duration: '0:30'"),
        )
    ),
    # entries
    (
        "prices:\n          - {amount: 79.50, duration: P1D}",
        "prices: []",
        f"22: {VARIANT}.prices: expected at least one entry",
    ),
    # criteria: an emptied list does not select everything
    ("name: Web,", "name: Web, products: [],", "27: channels[0].products: expected at least one entry"),
    *(
        (
            "percent: 8}",
            f"percent: 8}}, scope: {{{key}: []}}",
            f"{AUTO}.scope.{key}: expected at least one entry",
        )
        for key in ("products", "productVariants", "categories", "attributes", "discountCards", "weekdays")
    ),
    *(
        (
            "percent: 8}",
            f"percent: 8}}, conditions: {{{key}: []}}",
            f"{AUTO}.conditions.{key}: expected at least one entry",
        )
        for key in ("weekdays", "channels", "accounts", "customerGroups")
    ),
    *(
        (
            "slug: day-ticket",
            f"slug: day-ticket\n    booking: {booking}",
            f"11: products[0].booking.{loc}: expected at least one entry",
        )
        for booking, loc in (
            ("{seasons: []}", "seasons"),
            ("{closed: [{seasons: []}]}", "closed[0].seasons"),
            ("{closed: [{weekdays: []}]}", "closed[0].weekdays"),
            ("{closed: [{dates: []}]}", "closed[0].dates"),
            ("{stays: [{startWeekdays: []}]}", "stays[0].startWeekdays"),
        )
    ),
]


@pytest.mark.parametrize(("piece", "instead", "fault"), SHAPES)
def test_structural_issue_is_reported_with_line_location_and_reason(
    piece: str, instead: str, fault: str
) -> None:
    assert f"c:{fault}" in catalogue_faults(spoilt(CATALOGUE, piece, instead))
