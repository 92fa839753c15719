"""Faults of days, pools, prices and pages, reported with line, ``loc`` and reason."""

import pytest

from faregate.files import FileFormat
from support.files.bookable import BOOKABLE, line_of
from support.files.samples import catalogue_faults, spoilt

DAY = "expected a day such as 12-27, easter+1 or 2026-12-27"
TIME = "expected a time such as 09:30"
PLACES = "expected 0 to 1000000000 or unlimited"
PART = "expected a number from 0 to 1"
PREVIEW = "expected an image as in data:image/png;base64,iVBORw0KGgo="
URL = "expected an https URL or a path such as /tickets, without spaces"
SLUG = "expected lower-case letters, digits and single hyphens"
RULES = "products[0].booking"

SHAPES = [
    # countries and categories
    ("territory: CH", "territory: ch", "merchants[0].territory: unknown country code 'ch': write 'CH'"),
    ("territory: CH", "territory: UK", "merchants[0].territory: unknown country code 'UK'"),
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
    ("maxLeadDays: 180", "maxLeadDays: 36526", f"{RULES}.maxLeadDays: expected at most 36525, got 36526"),
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
