"""Faults of days, pools, prices and pages, reported with line, ``loc`` and reason."""

import pytest

from faregate.files import FileFormat
from support.files.bookable import BOOKABLE, line_of
from support.files.samples import catalogue_faults, spoilt

DAY = "expected a day such as 12-27, easter+1 or 2026-12-27"
TIME = "expected a time such as 09:30"
DATE_TIME = "2026-12-27T00:00:00+01:00"
PLACES = "expected 0 to 1000000000 or unlimited"
PART = "expected a number from 0 to 1"
PREVIEW = "expected an image as in data:image/png;base64,iVBORw0KGgo="
URL = "expected an https URL or a path such as /tickets, without spaces"
SLUG = "expected lower-case letters, digits and single hyphens"
CTA = "products[0].content.banner.cta"
RULES = "products[0].booking"
ADULT = "products[0].productVariants[0]"
STEPS = f"{ADULT}.steps"
TICKET_PRICES = f"{ADULT}.prices[1]"

SHAPES = [
    # countries and categories
    ("territory: CH", "territory: ch", "merchants[0].territory: unknown country code 'ch': write 'CH'"),
    ("territory: CH", "territory: UK", "merchants[0].territory: unknown country code 'UK'"),
    ("territory: CH", "territory: CHE", "merchants[0].territory: unknown country code 'CHE'"),
    ("territory: CH", "territory: 41", "merchants[0].territory: expected a country code such as CH, got 41"),
    # days
    *(
        ('from: "12-01"', f"from: {text}", f"seasons[0].spans[0].from: {DAY}, got {shown}")
        for text, shown in (
            ("1-12", "'1-12'"),
            ("12-1", "'12-1'"),
            ("12/01", "'12/01'"),
            ("Easter", "'Easter'"),
            ("easter + 1", "'easter + 1'"),
            ("easter1", "'easter1'"),
            ("easter+1000", "'easter+1000'"),
            ("'12-01 '", "'12-01 '"),
            ("26-12-01", "'26-12-01'"),
            ("2026-12-01T00:00:00Z", "'2026-12-01T00:00:00Z'"),
            ('"\\u0661\\u0662-01"', "'\u0661\u0662-01'"),
            ("null", "nothing"),
            ("12", "12"),
            ("[12, 1]", "a list"),
        )
    ),
    (
        'from: "12-01"',
        "from: 2026-02-29",
        "seasons[0].spans[0].from: the date or time 2026-02-29 does not exist",
    ),
    (
        'from: "12-01"',
        "from: 0001-01-01",
        "seasons[0].spans[0].from: expected a year from 1900 to 8999, got 1",
    ),
    ('from: "12-01", ', "", "seasons[0].spans[0].from: is missing"),
    ('spans: [{from: "12-01", to: "04-30"}]', "spans: []", "seasons[0].spans: expected at least one entry"),
    ('spans: [{from: "12-01", to: "04-30"}]', "from: 12-01", "seasons[0].spans: is missing"),
    ("identifier: winter, ", "", "seasons[0].identifier: is missing"),
    ("on: easter+1", "on: easter monday", f"holidays[1].on: {DAY}, got 'easter monday'"),
    ("weekdays: [1, 7]", "weekdays: [1, 8]", "pools[0].sizes[0].when.weekdays[1]: expected at most 7, got 8"),
    (
        'dates: ["01-01"], holidays: true',
        'dates: ["01-1"]',
        f"pools[0].sizes[0].when.dates[0].from: {DAY}, got '01-1'",
    ),
    # pools
    *(
        ("size: 2000", f"size: {text}", f"pools[0].size: {PLACES}, got {shown}")
        for text, shown in (
            ("-1", "-1"),
            ("2.5", "2.5"),
            ("Unlimited", "'Unlimited'"),
            ("'2000'", "'2000'"),
            ("true", "true"),
            ("null", "nothing"),
            ("1000000001", "1000000001"),
            (".inf", "Infinity"),
        )
    ),
    ("size: 40, ", "", "pools[1].size: is missing"),
    ("size: 5}", "size: -5}", f"pools[0].sizes[2].size: {PLACES}, got -5"),
    ("units: 12", "units: -12", "pools[0].blocked[0].units: expected at least 0, got -12"),
    *(
        ('to: "12:30"', f"to: {text}", f"pools[1].slots[0].to: {TIME}, got {shown}")
        for text, shown in (
            ('"24:00"', "'24:00'"),
            ('"12:60"', "'12:60'"),
            ('"9:30"', "'9:30'"),
            ('"12:30:00"', "'12:30:00'"),
            ('"12.30"', "'12.30'"),
            ("12.30", "12.30"),
            ('"12:30\\n"', "'12:30\\n'"),
            ("750", "750"),
        )
    ),
    ('from: "10:00", ', "", "pools[1].slots[0].from: is missing"),
    (
        "counting: FIRST_DAY",
        "counting: FIRST",
        "products[0].pools[1].counting: expected EACH_DAY, FIRST_DAY, NONE, got 'FIRST'",
    ),
    ("uses: {mountain: 4", "uses: {mountain: -4", f"{ADULT}.uses.mountain: expected at least 0, got -4"),
    (
        "uses: {mountain: 4",
        "uses: {' x': 4",
        f"{ADULT}.uses.' x': expected printable text without leading or trailing spaces, got ' x'",
    ),
    # prices
    (
        "priceModel: STEPPED",
        "priceModel: DYNAMIC",
        "products[0].priceModel: expected STATIC, CALENDAR, STEPPED, got 'DYNAMIC'",
    ),
    ("minLeadDays: 14", "minLeadDays: -1", f"{TICKET_PRICES}.minLeadDays: expected at least 0, got -1"),
    ("step: 2.05", "step: 2.055", f"{STEPS}.step: 2.055 has more decimals than CHF, which has 2"),
    ("step: 2.05", "step: -2", f"{STEPS}.step: expected at least 0, got -2"),
    ("every: 100", "every: 0", f"{STEPS}.every: expected at least 1, got 0"),
    ("floor: 49", "floor: low", f"{STEPS}.floor: 'low' is not an amount"),
    ("ceiling: 99.5", "ceiling: -1", f"{STEPS}.ceiling: expected at least 0, got -1"),
    (
        "percent: [100, 87.5, 0]",
        "percent: []",
        "products[0].degression.percent: expected at least one entry",
    ),
    (
        "percent: [100, 87.5, 0]",
        "percent: [100, -1]",
        "products[0].degression.percent[1]: expected 0 to 100 percent, got -1",
    ),
    (
        "increment: 0.50",
        "increment: 0",
        "products[0].degression.increment: expected more than 0, got 0",
    ),
    (
        "percent: 20.5",
        "percent: 0",
        "products[0].cardReductions[0].percent: expected more than 0.01 and at most 100 percent, got 0",
    ),
    (
        "increment: 1}",
        "increment: 0.001}",
        "products[0].cardReductions[0].increment: 0.001 has more decimals than CHF, which has 2",
    ),
    # booking
    ("minLeadDays: 1\n", "minLeadDays: -1\n", f"{RULES}.minLeadDays: expected at least 0, got -1"),
    ("maxLeadDays: 180", "maxLeadDays: 36526", f"{RULES}.maxLeadDays: expected at most 36525, got 36526"),
    ("minDays: 2", "minDays: 0", f"{RULES}.stays[0].minDays: expected at least 1, got 0"),
    (
        "startWeekdays: [6, 7]",
        "startWeekdays: [6, 0]",
        f"{RULES}.stays[0].startWeekdays[1]: expected at least 1, got 0",
    ),
    ('startTimes: ["09:00", ', "startTimes: [9, ", f"{RULES}.startTimes[0]: {TIME}, got 9"),
    (
        "saleStarts: 2026-08-01T12:00:00+02:00",
        "saleStarts: 2026-08-01T12:00:00",
        f"{RULES}.saleStarts: 2026-08-01T12:00:00 has no UTC offset: write it as in {DATE_TIME}",
    ),
    ('at: "17:30"', 'at: "5 pm"', f"{RULES}.cutOff.at: {TIME}, got '5 pm'"),
    ("daysBefore: 1", "daysBefore: -1", f"{RULES}.cutOff.daysBefore: expected at least 0, got -1"),
    (
        "minutesBefore: 15",
        "minutesBefore: 99999999",
        "products[1].booking.cutOff.minutesBefore: expected at most 52596000, got 99999999",
    ),
    # content
    *(
        (
            "data:image/png;base64,iVBORw0KGgo=",
            text,
            f"products[0].content.images[0].lqip: {PREVIEW}, got '{text}'",
        )
        for text in (
            "/images/tiny.png",
            "data:image/svg+xml;base64,PHN2Zz4=",
            "data:text/html;base64,PHN2Zz4=",
            "data:image/png;base64,",
            "data:image/png;base64,a b",
            "data:image/png,abc",
        )
    ),
    *(
        ("x: 0.5", f"x: {text}", f"products[0].content.images[0].hotspot.x: {PART}, got {shown}")
        for text, shown in (
            ("1.01", "1.01"),
            ("-0.1", "-0.1"),
            ("'0.5'", "'0.5'"),
            ("true", "true"),
            (".nan", "NaN"),
            (".inf", "Infinity"),
            ("null", "nothing"),
        )
    ),
    ("width: 0, ", "", "products[0].content.images[0].hotspot.width: is missing"),
    ("caption: New, ", "", "products[0].content.tags[0].caption: is missing"),
    (
        "variant: button",
        "variant: big",
        f"{CTA}.variant: expected link, button, got 'big'",
    ),
    (
        "slug: news",
        "slug: News",
        f"products[1].content.banner.cta.page.slug: {SLUG}, got 'News'",
    ),
    *(
        (
            "https://photos.example/?a=1#b",
            text,
            f"products[2].content.banner.cta.link: {URL}, got '{text}'",
        )
        for text in (
            "javascript:alert(1)",
            "mailto:a@b.example",
        )
    ),
]


@pytest.mark.parametrize(("piece", "instead", "fault"), SHAPES)
def test_structural_issue_is_reported_with_line_location_and_reason(
    piece: str, instead: str, fault: str
) -> None:
    assert f"c:{line_of(piece)}: {fault}" in catalogue_faults(spoilt(BOOKABLE, piece, instead))


def test_issues_of_a_json_file_are_reported_with_their_locations() -> None:
    faults = catalogue_faults(
        '{"currency": "CHF", "pools": [{"identifier": "a", "size": null}], "holidays": [{"on": "12-32"}]}',
        FileFormat.JSON,
    )

    assert faults == (f"c: pools[0].size: {PLACES}, got nothing",)
