"""Questions about products, and about when they can be booked, that cannot be."""

from serving.hostile_everywhere import channel_rows, method_rows, path_rows, query_rows
from serving.hostile_insights import LONG, NO_DAYS, NO_DIGITS, NO_DURATIONS
from serving.hostility import Kind, Plain, Refusal, Request, Row, Rows, of_each, queries

JOURNEY = "/api/booking/products/{}/journey/validities"
LIST = Request("GET", JOURNEY.format(11))
SUGGEST = Request("GET", JOURNEY.format(11) + "/suggested")
BOOKING = {"validities": LIST, "suggested": SUGGEST}
SHOW = Request("GET", "/api/products/day-ticket")
PRODUCTS = {"product": SHOW}

UNKNOWN = Refusal(404, "unknown-product")

# ---------------------------------------------------------------- booking

NO_NUMBERS = [
    *("", "x", "1.0", "1e0", "01", "+1", "%2B1", "1,2", "1%00", "%201", "0x1", "true", "null", "1_0", "--1"),
    *("9" * 19, LONG, "[1]"),
]
NO_QUANTITIES = [*NO_NUMBERS, "0", "-1", "10001", "999999999999999999"]
NO_LIMITS = [*NO_NUMBERS, "0", "-1", "367", "999999999999999999"]
NO_FLAGS = ["", "TRUE", "True", "1", "yes", "on", "null", "true%20", "true%00", "%C4%B1", LONG]
NO_UUIDS = [
    *("", "x", "null", "<checkout id>0", "{<checkout id>}", "urn:uuid:<checkout id>", "<checkout id>%00"),
    *("<checkout id>%20", LONG),
]
NO_CURSORS = [
    *("", "x", "AAAA", "MQ==", "MS5QMUQ=", "MTc5ODMyNjAwMDAwMDAwMC5QMUQ%3D", "..", "%00", "%FF", "null"),
    *("OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTkuUDFE", "MC5QOTk5OTk5OTk5OTk5RA", LONG, "A" * 60_000),
]


def booking_rows() -> Rows:
    """Those about booking."""
    yield from of_each(BOOKING, channel_rows, query_rows, path_rows, _values, _products_in_paths)
    yield from method_rows(BOOKING, {})
    yield from queries(Kind.RANGES, LIST, "dateFrom", NO_DAYS)
    yield from queries(Kind.RANGES, LIST, "dateTo", NO_DAYS)
    yield from queries(Kind.TYPES, LIST, "onlyAvailable", NO_FLAGS)
    yield from queries(Kind.IDS, LIST, "checkoutId", NO_UUIDS)
    yield from queries(Kind.ENCODINGS, LIST, "cursor", NO_CURSORS)
    for name in ("dateFrom", "dateTo", "cursor", "onlyAvailable"):
        yield from queries(Kind.LOOK_ALIKES, LIST, name, NO_DIGITS)
    for query, names in CONTRADICTIONS.items():
        refusal = Refusal(400, "invalid-request", tuple(f"parameter {name}" for name in names))
        yield Row(Kind.RANGES, f"?{query[:50]}", LIST.asking(query), refusal)
    for checkout_id in ("<foreign order>", "<unknown>"):
        # Whose places those are is nobody's business, nor whether there are any.
        question = LIST.asking(f"checkoutId={checkout_id}")
        yield Row(Kind.IDS, f"beside checkout {checkout_id}", question, Plain(200))


CONTRADICTIONS = {
    "dateFrom=2026-12-27&dateTo=2026-12-26": ["dateTo"],
    "dateFrom=2026-01-01&dateTo=2027-01-02": ["dateTo"],
    "dateTo=2020-01-01": ["dateTo"],
    "dateFrom=8999-12-31": ["dateTo"],
    "dateFrom=2026-12-27&dateFrom=2026-12-28": ["dateFrom"],
    "limit=1&limit=2": ["limit"],
    "limit=0&quantity=0&dateFrom=x": ["dateFrom", "quantity", "limit"],
}


def _values(request: Request) -> Rows:
    yield from queries(Kind.RANGES, request, "quantity", NO_QUANTITIES)
    yield from queries(Kind.RANGES, request, "limit", NO_LIMITS)
    yield from queries(Kind.TYPES, request, "productVariantId", NO_NUMBERS)
    yield from queries(Kind.TYPES, request, "duration", NO_DURATIONS)
    for name in ("quantity", "limit", "productVariantId", "duration"):
        yield from queries(Kind.LOOK_ALIKES, request, name, NO_DIGITS)
    for name in ("0", "-1", "311", "999", "999999999999999999"):
        yield from queries(Kind.IDS, request, "productVariantId", [name])
    for name in ("productVariantId=101", "duration=P1D"):
        often = request.asking("&".join([name] * 501))
        refusal = Refusal(400, "invalid-request", (f"parameter {name.partition('=')[0]}",))
        yield Row(Kind.SIZES, f"{name} 501 times", often, refusal)


NO_PRODUCTS = [
    *("0", "-1", "01", "+11", "11.0", "1e1", "x", "%20", "11%20", "%2011", "11%0A", "11%00", "%00", "11,12"),
    *(
        "0xb",
        "11;a=1",
        "11%3Fa",
        "9" * 16,
        "9" * 17,
        "9" * 5000,
        "99",
        "71",
        "%FF",
        "..",
        "null",
        "day-ticket",
    ),
]
LOOK_ALIKE_PRODUCTS = ["%EF%BC%91%EF%BC%91", "%D9%A1%D9%A1", "%C2%B9%C2%B9", "11%E2%80%8B"]


def _products_in_paths(request: Request) -> Rows:
    for kind, texts in ((Kind.IDS, NO_PRODUCTS), (Kind.LOOK_ALIKES, LOOK_ALIKE_PRODUCTS)):
        for text in texts:
            spoilt = request._replace(target=request.target.replace("/11/", f"/{text}/"))
            yield Row(kind, f"product {text[:30]}", spoilt, UNKNOWN)


# ---------------------------------------------------------------- products

NO_SLUGS = {
    Kind.PATHS: [
        *("..", "%00", "%0A", "%20", "%FF", "day-ticket%00", "day-ticket%0A", "day-ticket%20"),
        *("%20day-ticket", "day-ticket;a=1", "day-ticket%3Fa=1", "day-ticket%23a", "day-ticket.json"),
        *("%5Cday-ticket", "day%252Dticket", "*", "%25", "day-ticket%0d%0aset-cookie:%20a=b"),
    ],
    Kind.LOOK_ALIKES: [
        *(
            "DAY-TICKET",
            "Day-ticket",
            "day%E2%80%91ticket",
            "day%E2%88%92ticket",
            "day_ticket",
            "day%20ticket",
        ),
        *(
            "d%D0%B0y-ticket",
            "%EF%BD%84ay-ticket",
            "day-t%C4%B1cket",
            "day-t%C4%B0cket",
            "day-ticket%E2%80%8B",
        ),
        *("day-tic%E2%84%AAet", "day-ticket%CC%81", "%E2%80%AEday-ticket"),
    ],
    Kind.TYPES: ["11", "0", "-1", "null", "true", "undefined", "NaN", "[]", "{}", "%5B%5D"],
    Kind.IDS: [
        "unknown",
        "partner-day-ticket",
        "partner-lunch",
        "' OR 1=1",
        "1%27%20OR%20%271%27=%271",
        "__proto__",
        "constructor",
    ],
    Kind.SIZES: [
        "a" * 200,
        "a" * 60_000,
        "-" * 20_000,
        "%C3%BC" * 10_000,
        "%F0%9F%98%80" * 5_000,
        "." * 20_000,
    ],
    Kind.ENCODINGS: [
        "%",
        "%zz",
        "%C0%80",
        "%ED%A0%80",
        "%F4%90%80%80",
        "\u00fc",
        "%u0064ay-ticket",
        "day+ticket",
    ],
}
NO_INCLUDES = {
    Kind.TYPES: ["", "1", "true", "null", "[]", "{}", "availability", "all", "*"],
    Kind.LOOK_ALIKES: [
        *("NextAvailability", "nextavailability", "nextAvailability%20", "n%D0%B5xtAvailability"),
        *("%EF%BD%8EextAvailability", "nextAva%C4%B1lability", "nextAvailability%E2%80%8B"),
    ],
    Kind.RANGES: [
        "nextAvailability,nextAvailability",
        "nextAvailability%00",
        "nextAvailability;a",
        "-1",
        "0",
    ],
    Kind.READ_ONLY: ["password", "capacity", "soldCounts", "../checkout", "__proto__"],
    Kind.SIZES: [LONG, "a" * 60_000],
}


def product_rows() -> Rows:
    """Those about products."""
    yield from of_each(PRODUCTS, channel_rows, query_rows, path_rows)
    yield from method_rows(PRODUCTS, {})
    for kind, slugs in NO_SLUGS.items():
        for slug in slugs:
            spoilt = SHOW._replace(target=f"/api/products/{slug}")
            yield Row(kind, f"slug {slug[:30]!a}", spoilt, UNKNOWN)
    for kind, texts in NO_INCLUDES.items():
        yield from queries(kind, SHOW, "include", texts)
    often = SHOW.asking("&".join(["include=nextAvailability"] * 501))
    refusal = Refusal(400, "invalid-request", ("parameter include",))
    yield Row(Kind.SIZES, "include 501 times", often, refusal)
