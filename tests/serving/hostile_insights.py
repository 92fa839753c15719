"""Questions about prices that cannot be."""

from serving.hostile_everywhere import channel_rows, method_rows, path_rows, query_rows
from serving.hostility import Kind, Refusal, Request, Row, Rows, of_each, queries

LONG = "9" * 4000

BARE = Request("GET", "/api/pricing/insights/distribution")
ASK = BARE.asking("productId=11")
OPERATIONS = {"ask": ASK}


def rows() -> Rows:
    """All of them."""
    yield from of_each(OPERATIONS, channel_rows, query_rows, path_rows)
    yield from method_rows(OPERATIONS, {})
    yield from queries(Kind.TYPES, BARE, "productId", NO_IDS)
    yield from queries(Kind.TYPES, ASK, "productVariantId", NO_IDS)
    for name in ("dateFrom", "dateTo"):
        yield from queries(Kind.RANGES, ASK, name, NO_DAYS)
    yield from queries(Kind.RANGES, ASK, "validFrom", NO_STARTS)
    yield from queries(Kind.RANGES, ASK, "price", NO_PRICES)
    for name in ("lowerPercentile", "upperPercentile"):
        yield from queries(Kind.RANGES, ASK, name, NO_PERCENTAGES)
    yield from queries(Kind.TYPES, ASK, "duration", NO_DURATIONS)
    for name in LOOKED_AT:
        yield from queries(Kind.LOOK_ALIKES, ASK, name, NO_DIGITS)
    yield from _contradictions()
    yield from _of_others()


# ---------------------------------------------------------------- values

NO_IDS = (
    "",
    "0",
    "-1",
    "1.0",
    "1e0",
    "01",
    "+1",
    "%2B1",
    "%201",
    "x",
    "null",
    "true",
    "%00",
    "%EF%BC%91",
    LONG,
)
NO_DAYS = (
    "",
    "today",
    "2026-2-3",
    "2026-02-30",
    "2026-12-27T00:00:00Z",
    "1899-12-31",
    "9000-01-01",
    "20261227",
)
NO_STARTS = (
    "",
    "tomorrow",
    "2026-02-30",
    "2026-12-27T24:00",
    "2026-12-27 00:00",
    "2026-12-27T00:00:00+01:00",  # a plus sign that is not escaped is a blank
    "2026-12-27T00:00%2B99:00",
    "1899-12-31",
    "9000-01-01",
    "8999-12-31T23:30:00Z",  # in Zurich the year 9000
    "0001-01-01T00:00:00%2B14:00",
    "1798326000",
    "2026-W52-7",
    "2026-12-27T00:00:00.1234567Z",
    LONG,
)
NO_PRICES = (
    "",
    "-1",
    "-0",
    "1e1",
    "1.",
    ".5",
    "00.5",
    "01",
    "%2B5",
    "1,5",
    "1'000",
    "1_000",
    "0x10",
    "NaN",
    "Infinity",
    "CHF%205",
    "5.005",
    "0.001",
    "10000000000.01",
    "9999999999999999",
    "5%20",
    "%D9%A5",
    LONG,
)
NO_PERCENTAGES = (
    "",
    "-0.0001",
    "-0",
    "100.0001",
    "101",
    "1000",
    "33.33333",
    "0.00001",
    "1e1",
    "25%25",
    "1/4",
    "nan",
    ".5",
    "5.",
    "025",
    LONG,
)
NO_DURATIONS = ("", "1D", "P", "PT", "P4D", "P1D%20", "P999999999999D", "P-1D", LONG)
# Full width, Arabic, superscript, Roman, and something that is not seen.
NO_DIGITS = ("%EF%BC%91", "%D9%A1", "%C2%B9", "%E2%85%A0", "1%E2%80%8B")
LOOKED_AT = (
    *("productVariantId", "duration", "dateFrom", "dateTo", "validFrom", "price"),
    *("lowerPercentile", "upperPercentile"),
)


# ---------------------------------------------------------------- contradictions

CONTRADICTIONS: dict[str, tuple[str, ...]] = {
    "": ("productId",),
    "dateFrom=2026-12-27": ("productId",),
    "productId=11&productId=11": ("productId",),
    "productId=11&productId=12": ("productId",),
    "productId=11&productVariantId=101&productVariantId=102": ("productVariantId",),
    "productId=11&price=5&price=5": ("price",),
    "productId=11&validFrom=2026-12-27&validFrom=2026-12-28": ("validFrom",),
    "productId=11&lowerPercentile=1&lowerPercentile=2": ("lowerPercentile",),
    "productId=11&dateFrom=2026-12-27&dateFrom=2026-12-28": ("dateFrom",),
    "productId=11&" + "&".join(["duration=P1D"] * 501): ("duration",),
    "productId=11&duration=P1D&duration=P9D": ("duration",),
    "productId=11&productid=11": ("productid",),
    "productId=11&quantity=1": ("quantity",),
    "productId=11&percentile=25": ("percentile",),
    "productId=11&=1": ("",),
    "productId=11&price=%zz": ("price",),
    "productId=11&price=%ff": ("price",),
    "productId=11&lowerPercentile=80": ("lowerPercentile",),
    "productId=11&upperPercentile=20": ("lowerPercentile",),
    "productId=11&lowerPercentile=50.0001&upperPercentile=50": ("lowerPercentile",),
    "productId=11&price=60&validFrom=2026-12-27": ("validFrom",),
    "productId=11&dateFrom=2026-12-27&dateTo=2026-12-26": ("dateTo",),
    "productId=11&dateFrom=2026-01-01&dateTo=2027-01-02": ("dateTo",),
    "productId=11&dateTo=2020-01-01": ("dateTo",),
    "productId=11&dateFrom=8999-12-31": ("dateTo",),
    "productId=99&price=5.001&lowerPercentile=80": ("lowerPercentile", "price"),
    "productId=99&validFrom=1899-12-31": ("validFrom",),
    "dateFrom=x&dateTo=x&duration=x&validFrom=x&price=x&lowerPercentile=x&upperPercentile=x&nope=1": (
        *("nope", "productId", "duration", "dateFrom", "dateTo", "validFrom", "price"),
        *("lowerPercentile", "upperPercentile"),
    ),
    "productId=11&price=5.001&validFrom=8999-12-31T23:30:00Z&lowerPercentile=75&upperPercentile=25"
    "&duration=P8D&duration=P9D&dateFrom=2026-12-27&dateTo=2026-12-26": (
        *("validFrom", "lowerPercentile", "price", "duration", "duration", "dateTo", "validFrom"),
    ),
}


def _contradictions() -> Rows:
    for query, names in CONTRADICTIONS.items():
        refusal = Refusal(400, "invalid-request", tuple(f"parameter {name}" for name in names))
        yield Row(Kind.RANGES, f"?{query[:50]}", BARE.asking(query) if query else BARE, refusal)
    spoilt = BARE.asking("price=x").beside(("service-channel-uuid", "x"), ("api-version", "1"))
    at_fault = ("parameter productId", "parameter price", "header api-version", "header service-channel-uuid")
    yield Row(Kind.HEADERS, "headers and query", spoilt, Refusal(400, "invalid-request", at_fault))


NOT_THERE = {
    "productId=99": "unknown-product",
    f"productId={2**53 - 1}": "unknown-product",
    "productId=99&productVariantId=101": "unknown-product",
    "productId=11&productVariantId=999": "unknown-variant",
    "productId=11&productVariantId=311": "unknown-variant",
    "productId=31&productVariantId=101": "unknown-variant",
    "productId=71": "unknown-product",
}


def _of_others() -> Rows:
    """Products and variants that are not there, or not there on this channel."""
    for query, code in NOT_THERE.items():
        yield Row(Kind.IDS, f"?{query}", BARE.asking(query), Refusal(404, code))
