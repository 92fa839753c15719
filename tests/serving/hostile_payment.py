"""Hostile requests about the payment of a checkout."""

from serving.hostile_bodies import (
    full_rows,
    media_rows,
    shape_rows,
    size_rows,
    unknown_rows,
    unreadable_mebibytes,
    unreadable_rows,
)
from serving.hostile_checkout import NO_UUIDS
from serving.hostile_everywhere import bearer_rows, channel_rows, method_rows, path_rows, query_rows
from serving.hostility import Kind, Refusal, Request, Row, Rows, bodies, dumped, of_each
from serving.raw_requests import JSON
from serving.service import PARTNERS, VALLEY_STATION, Json

TOTAL, DETAIL, PROVIDER = "/expectedTotal", "/paymentDetailId", "/provider"
NONE, UNKNOWN_FIELD = "invalid-payment", "invalid-body"


def paying(**overrides: object) -> Json:
    """A good body, with a few fields spoilt."""
    return {"expectedTotal": "<#total>", "provider": "ON_SITE", **overrides}


PAY = Request("POST", "<payable>/payment", dumped(paying()), JSON)
STATUS = Request("GET", "<payable>/payment/status")
OPERATIONS = {"pay": PAY, "status": STATUS}

ODD_TYPES: dict[str, tuple[object, str | tuple[str, ...]]] = {
    "nothing": ({}, TOTAL),
    "an envelope": ({"data": paying()}, (TOTAL, "/data")),
    "a total that is null": (paying(expectedTotal=None), TOTAL),
    "a total as text": (paying(expectedTotal="20"), TOTAL),
    "a total that is true": (paying(expectedTotal=True), TOTAL),
    "a total as a list": (paying(expectedTotal=[20]), TOTAL),
    "a total as an object": (paying(expectedTotal={"amount": 20}), TOTAL),
    "a provider as a number": (paying(provider=1), PROVIDER),
    "a provider as a list": (paying(provider=["ON_SITE"]), PROVIDER),
    "a provider that is true": (paying(provider=True), PROVIDER),
    "a provider as an object": (paying(provider={"type": "ON_SITE"}), PROVIDER),
    "a detail as text": (paying(paymentDetailId="1"), DETAIL),
    "a detail with a fraction": (paying(paymentDetailId=1.5), DETAIL),
    "a detail that is true": (paying(paymentDetailId=True), DETAIL),
    "a detail as a list": (paying(paymentDetailId=[1]), DETAIL),
    "everything at once": (
        {"expectedTotal": "x", "provider": 1, "paymentDetailId": 0, "tip": 1},
        (TOTAL, DETAIL, PROVIDER, "/tip"),
    ),
}
ODD_NUMBERS: dict[str, tuple[object, str]] = {
    "detail 0": (paying(paymentDetailId=0), DETAIL),
    "a negative detail": (paying(paymentDetailId=-1), DETAIL),
    "a detail beyond all": (paying(paymentDetailId=2**53), DETAIL),
}
SHOWN = {
    name: (paying(**{name: 1}), f"/{name}")
    for name in ("amount", "referenceNumber", "provider_type", "amountDue", "vouchers", "isPaid", "order")
}
NOT_TO_BE_PAID: dict[Kind, dict[str, tuple[object, str]]] = {
    Kind.RANGES: {
        "a negative total": (paying(expectedTotal=-1), TOTAL),
        "a total of half a cent": (paying(expectedTotal=20.005), TOTAL),
        "a total beyond all": (paying(expectedTotal=10**13), TOTAL),
        "a negative total beyond all": (paying(expectedTotal=-(10**13)), TOTAL),
        "a tiny total": (paying(expectedTotal=1e-300), TOTAL),
        "no provider": (paying(provider=None), PROVIDER),
        "an empty provider": (paying(provider=""), PROVIDER),
        "a provider of ours": (paying(provider="VOUCHER_B"), PROVIDER),
        "a detail on site": (paying(paymentDetailId=1), PROVIDER),
    },
    Kind.LOOK_ALIKES: {
        "a provider in small letters": (paying(provider="on_site"), PROVIDER),
        "a provider with a blank": (paying(provider="ON_SITE "), PROVIDER),
        "a provider with a NUL": (paying(provider="ON_SITE\x00"), PROVIDER),
        "a provider with a Cyrillic letter": (paying(provider="\u041eN_SITE"), PROVIDER),
        "a provider in full width": (paying(provider="\uff2fN_SITE"), PROVIDER),
        "a provider with a capital I that has a dot": (paying(provider="ON_S\u0130TE"), PROVIDER),
        "a provider with a long s": (paying(provider="ON_\u017fITE"), PROVIDER),
    },
    Kind.IDS: {
        "a detail of nobody": ({"expectedTotal": "<#total>", "paymentDetailId": 1}, DETAIL),
        "the detail of an account, of nobody": (
            {"expectedTotal": "<#total>", "paymentDetailId": "<#detail>"},
            DETAIL,
        ),
        "the gateway without an account": (paying(provider="GATEWAY"), DETAIL),
    },
}
WRONG_TOTALS = {"too low": 0.01, "too high": 999_999.99, "of nothing": 0, "in cents": 2250}


def rows() -> Rows:
    """All of them."""
    yield from of_each(OPERATIONS, channel_rows, bearer_rows, query_rows, path_rows, _id_rows)
    yield from method_rows(OPERATIONS, {})
    yield from of_each(
        {"pay": PAY},
        *(media_rows, unreadable_rows, unreadable_mebibytes, shape_rows, size_rows, unknown_rows(paying())),
        full_rows(b'{"expectedTotal":', b"}", TOTAL),
    )
    yield from bodies(Kind.TYPES, PAY, UNKNOWN_FIELD, ODD_TYPES)
    yield from bodies(Kind.RANGES, PAY, UNKNOWN_FIELD, ODD_NUMBERS)
    yield from bodies(Kind.READ_ONLY, PAY, UNKNOWN_FIELD, SHOWN)
    for kind, spoilt in NOT_TO_BE_PAID.items():
        yield from bodies(kind, PAY, NONE, spoilt)
    for name, total in WRONG_TOTALS.items():
        refusal = Refusal(409, "total-changed", (f"pointer {TOTAL}",))
        yield Row(Kind.RANGES, f"a total {name}", PAY.saying(paying(expectedTotal=total)), refusal)
    for tag in ('"7.OPEN.en"', 'W/"1.OPEN.en"', '"999999999999999999999"'):
        refusal = Refusal(412, "changed-meanwhile")
        yield Row(Kind.HEADERS, f"if-match {tag}", PAY.beside(("if-match", tag)), refusal)
    yield from _details_of_others()


def _id_rows(request: Request) -> Rows:
    """Checkouts that are none, or somebody else's."""
    unknown = Refusal(404, "unknown-checkout")
    for text in NO_UUIDS:
        kind = Kind.LOOK_ALIKES if text.startswith("%EF") else Kind.PATHS
        own = text.replace("<checkout id>", "<payable id>")
        yield Row(kind, f"id {text[:30]}", _at(request, f"/api/checkout/{own}"), unknown)
    for name in ("/api/checkout/<unknown>", "<foreign bound>", "/api/checkout/<foreign order>", "<bound>"):
        yield Row(Kind.IDS, f"{name} of nobody", _at(request, name), unknown)
    for name in ("<foreign bound>", "/api/checkout/<foreign order>"):
        spoilt = _at(request, name).beside(("authorization", "Bearer <token>"))
        yield Row(Kind.IDS, f"{name} of another", spoilt, unknown)
    for channel in (VALLEY_STATION, PARTNERS):
        other = request.beside(("service-channel-uuid", channel))
        yield Row(Kind.IDS, f"on channel {channel}", other, unknown)


def _at(request: Request, path: str) -> Request:
    return request._replace(target=request.target.replace("<payable>", path))


def _details_of_others() -> Rows:
    """Means of payment of others, for a checkout of one's own."""
    own = PAY._replace(target="<bound>/payment").beside(("authorization", "Bearer <token>"))
    spoilt = {
        f"detail {name}": ({"expectedTotal": "<#total>", "paymentDetailId": f"<#{name}>"}, DETAIL)
        for name in ("foreign detail", "person")
    }
    return bodies(Kind.IDS, own, NONE, spoilt)
