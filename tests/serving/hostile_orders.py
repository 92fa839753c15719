"""Hostile requests about orders."""

from serving.hostile_everywhere import channel_rows, method_rows, path_rows, query_rows, token_rows
from serving.hostility import Kind, Refusal, Request, Row, Rows, of_each
from serving.raw_requests import CHANNEL

NOTICES = Request(
    "GET", "/api/orders/<order>/notices", headers=(*CHANNEL, ("authorization", "Bearer <token>"))
)
OPERATIONS = {"notices": NOTICES}

NO_ORDERS = {
    Kind.TYPES: ["1", "0", "-1", "null", "true", "NaN", "[]", "1.5", "undefined"],
    Kind.RANGES: ["ABCDE-FGHJK", "<order>0", "00000000-0000-0000-0000-000000000000", "9" * 36],
    Kind.ENCODINGS: [
        "%00",
        "%0A",
        "%FF",
        "%20",
        "<order>%00",
        "<order>%0A",
        "<order>%20",
        "%zz",
        "%C0%80",
        "\u00fc",
    ],
    Kind.SIZES: ["a" * 5000, "9" * 60_000, "%20" * 10_000, "-" * 20_000],
    Kind.IDS: [
        "<unknown>",
        "<foreign order>",
        "<checkout id>",
        "<payable id>",
        "<person>",
        "1%27%20OR%201=1",
    ],
    Kind.READ_ONLY: ["__proto__", "constructor", "current", "all", "*"],
    Kind.LOOK_ALIKES: ["%EF%BC%91<order>", "<order>%E2%80%8B", "%E2%80%AE<order>", "<order>%CC%81"],
    Kind.PATHS: [
        *("..", "{<order>}", "urn:uuid:<order>", "<order>;v=1", "<order>%3Fa=1", "<order>%23a"),
        *("<order>.json", "%5C<order>"),
    ],
}


def rows() -> Rows:
    """All of them."""
    yield from of_each(OPERATIONS, channel_rows, token_rows, query_rows, path_rows)
    yield from method_rows(OPERATIONS, {})
    for kind, texts in NO_ORDERS.items():
        for text in texts:
            spoilt = NOTICES._replace(target=f"/api/orders/{text}/notices")
            yield Row(kind, f"order {text[:30]!a}", spoilt, Refusal(404, "unknown-order"))
    stranger = NOTICES.beside(("authorization", "Bearer <foreign token>"))
    yield Row(Kind.IDS, "the order of another, by its id", stranger, Refusal(404, "unknown-order"))
