"""Hostile requests to a checkout: its items, conditions, quantities and codes, and the checkout itself."""

from serving.hostile_answers import answer_rows
from serving.hostile_bodies import (
    full_rows,
    media_rows,
    shape_rows,
    size_rows,
    unknown_rows,
    unreadable_mebibytes,
    unreadable_rows,
)
from serving.hostile_checkout_values import code_rows, delta_rows, item_rows, typed_rows
from serving.hostile_everywhere import (
    NOT_FOUND,
    bearer_rows,
    channel_rows,
    method_rows,
    path_rows,
    query_rows,
)
from serving.hostility import (
    ADD,
    ANSWER,
    CHANGE,
    DROP,
    ENTER,
    OPERATIONS,
    REMOVE,
    Kind,
    Refusal,
    Request,
    Row,
    Rows,
    dumped,
    of_each,
    queries,
    table,
)
from serving.service import PARTNERS, VALLEY_STATION, day_ticket

UNKNOWN = Refusal(404, "unknown-checkout")
NOT_ALLOWED = Refusal(405, "method-not-allowed")
OF_BODIES = {"items": ADD, "conditions": ANSWER, "quantity": CHANGE, "vouchers": ENTER}
ALLOWED = {"items": "DELETE, POST", "remove": "DELETE, POST"}


def rows() -> Rows:
    """All of them."""
    yield from of_each(OPERATIONS, channel_rows, bearer_rows, query_rows, _id_rows, _channels_of_others)
    yield from of_each({name: OPERATIONS[name] for name in OPERATIONS if name != "vouchers"}, path_rows)
    yield from of_each({"vouchers": ENTER}, lambda enter: path_rows(enter, behind=NOT_ALLOWED))
    yield from method_rows(OPERATIONS, ALLOWED)
    yield from _of_bodies()
    yield from _numbers_in_paths()
    yield from _items_to_remove()
    yield from _accounts_of_others()
    yield from typed_rows()
    yield from item_rows()
    yield from delta_rows()
    yield from code_rows()
    yield from answer_rows()


def _of_bodies() -> Rows:
    yield from of_each(OF_BODIES, media_rows, unreadable_rows, shape_rows, size_rows)
    yield from of_each({"items": ADD}, unknown_rows({"items": [day_ticket(20)]}), unreadable_mebibytes)
    yield from of_each({"quantity": CHANGE}, unknown_rows({"delta": 1}))
    yield from of_each({"vouchers": ENTER}, unknown_rows({"voucherCode": "GIFT-100"}))
    yield from of_each({"conditions": ANSWER}, unknown_rows({"formValues": {}}))
    hotel = full_rows(b'{"formValues":{"hotel":', b"}}", "/formValues/hotel", "invalid-checkout")
    yield from of_each({"conditions": ANSWER}, hotel)
    before, _, after = dumped({"items": [day_ticket(20, discountCardTypeId="*")]}).partition(b'"*"')
    yield from of_each({"items": ADD}, full_rows(before, after, "/items/0/discountCardTypeId"))
    refusal = Refusal(404, "unknown-checkout")
    yield Row(Kind.SIZES, "a long body for nobody", _at(ENTER, "x")._replace(body=b"[" * 2**20), refusal)


# ---------------------------------------------------------------- ids

NO_UUIDS = [
    *("00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"),  # nil and max
    "7d9e6c1a-0b51-1c58-8a10-3a3f6a1f2b77",  # version 1, of a clock and an address
    "7d9e6c1a-0b51-4c58-ca10-3a3f6a1f2b77",  # another variant
    *("x", "0", "..", "%00", "%0A", "%20", "%FF", "<checkout id>%00", "<checkout id>%0A"),
    *("<checkout id>%20", "%20<checkout id>", "<checkout id>0", "{<checkout id>}", "urn:uuid:<checkout id>"),
    *("<checkout id>;v=1", "<checkout id>%3Fa=1", "<checkout id>%23a", "%EF%BC%97<checkout id>", "9" * 5000),
]
LOOK_ALIKE_IDS = {"%EF%BC%97<checkout id>"}


def _id_rows(request: Request) -> Rows:
    """Ids that are no UUID, with and without a key; one that nobody has used; and of others."""
    for text in NO_UUIDS:
        kind = Kind.LOOK_ALIKES if text in LOOK_ALIKE_IDS else Kind.PATHS
        spoilt = _at(request, text)
        yield Row(kind, f"id {text[:30]}", spoilt, UNKNOWN)
        yield Row(kind, f"id {text[:30]} with a key", spoilt.beside(("idempotency-key", "k")), UNKNOWN)
    if request != ADD:  # which opens one
        yield Row(Kind.IDS, "an id nobody has used", _at(request, "<unknown>"), UNKNOWN)
    foreign = request._replace(target=request.target.replace("<checkout>", "<foreign bound>"))
    yield Row(Kind.IDS, "the checkout of an account, of nobody", foreign, UNKNOWN)
    token = foreign.beside(("authorization", "Bearer <token>"))
    yield Row(Kind.IDS, "the checkout of an account, of another", token, UNKNOWN)


def _at(request: Request, checkout_id: str) -> Request:
    return request._replace(target=request.target.replace("<checkout>", f"/api/checkout/{checkout_id}"))


def _channels_of_others(request: Request) -> Rows:
    """A checkout of another channel looks like none."""
    for channel in (VALLEY_STATION, PARTNERS):
        other = request.beside(("service-channel-uuid", channel))
        yield Row(Kind.IDS, f"on channel {channel}", other, UNKNOWN)


NO_ITEMS = [
    *("0", "01", "+1", "-1", "1.0", "1e0", "x", "%20", "1%20", "%201", "1%0A", "1%00", "%00", "1,2", "0x1"),
    *("1;a=1", "1%3Fa", "9" * 16, "9" * 17, "9" * 5000, "77", "9", "2147483648", "%FF", "..", "null"),
]
ITEMS_NOT_THERE = {"9" * 16, "77", "9", "2147483648"}
LOOK_ALIKE_ITEMS = ["%EF%BC%91", "%D9%A1", "%C2%B9", "%E2%91%A0"]
NO_CODES = ["GIFT-100", "SKI59", "WINTER10%00", "WINTER%2010", "%FF", "x" * 5000, "%25", "*", "..", "%20"]
LOOK_ALIKE_CODES = ["%D0%A1", "WINTER1%D9%A0", "W%D0%86NTER10", "WINTER10%CC%81", "W%C4%B0NTER10"]


def _numbers_in_paths() -> Rows:
    """Items and codes that are not there."""
    for kind, texts in ((Kind.IDS, NO_ITEMS), (Kind.LOOK_ALIKES, LOOK_ALIKE_ITEMS)):
        for text in texts:
            spoilt = CHANGE._replace(target=f"<checkout>/items/{text}/quantity")
            is_number = text in ITEMS_NOT_THERE
            refusal = Refusal(404, "unknown-item", ("parameter itemId",) if is_number else ())
            yield Row(kind, f"the quantity of item {text[:30]}", spoilt, refusal)
    for kind, texts in ((Kind.IDS, NO_CODES), (Kind.LOOK_ALIKES, LOOK_ALIKE_CODES)):
        codes = ((f"code {text[:30]}", DROP._replace(target=f"<checkout>/vouchers/{text}")) for text in texts)
        yield from table(kind, Refusal(404, "unknown-code"), codes)
    slash = DROP._replace(target="<checkout>/vouchers/a%2Fb")
    yield Row(Kind.PATHS, "a code with a slash", slash, NOT_FOUND)


NO_NUMBERS = [
    *("", "x", "1.0", "1e0", "01", "-02", "+2", "%2B2", "2,3", "2;itemId=3", "2%00", "2%0A", "%202", "0x2"),
    *("true", "null", "NaN", "1_0", "--2", "-", "9" * 19, "9" * 5000, "[2]", "%7B%7D", "2%202"),
]
LOOK_ALIKE_NUMBERS = ["%EF%BC%92", "%D9%A2", "%C2%B2", "2%E2%80%8B"]
ITEMS_OF_NOBODY = {"77": 1, "77&itemId=2": 1, "78&itemId=1&itemId=77": 2, "0": 1, "-1": 1, "9": 1}
ITEMS_OF_NOBODY |= {"2147483648": 1, "999999999999999999": 1}


def _items_to_remove() -> Rows:
    removing = REMOVE._replace(target="<checkout>/items")
    yield from queries(Kind.TYPES, removing, "itemId", NO_NUMBERS)
    yield from queries(Kind.LOOK_ALIKES, removing, "itemId", LOOK_ALIKE_NUMBERS)
    for text in ("", "x", "9" * 19):
        for query, times in ((f"itemId=2&itemId={text}", 1), (f"itemId={text}&itemId={text}", 2)):
            refusal = Refusal(400, "invalid-request", ("parameter itemId",) * times)
            yield Row(Kind.TYPES, f"remove {query}", removing.asking(query), refusal)
    for query, names in QUERIES_WITHOUT_ITEMS.items():
        refusal = Refusal(400, "invalid-request", tuple(f"parameter {name}" for name in names))
        yield Row(Kind.TYPES, f"remove ?{query}", removing.asking(query), refusal)
    for text, times in ITEMS_OF_NOBODY.items():
        refusal = Refusal(404, "unknown-item", ("parameter itemId",) * times)
        yield Row(Kind.IDS, f"remove {text}", removing.asking(f"itemId={text}"), refusal)
    often = removing.asking("&".join(["itemId=2"] * 501))
    refusal = Refusal(400, "invalid-request", ("parameter itemId",))
    yield Row(Kind.SIZES, "remove an item 501 times", often, refusal)


QUERIES_WITHOUT_ITEMS = {
    "": ["itemId"],
    "itemid=2": ["itemid", "itemId"],
    "itemId%00=2": ["itemId\x00", "itemId"],
    "itemId=%zz": ["itemId"],
    "itemId=x&a=1&itemId=2": ["a", "itemId"],
    "itemId%5B%5D=2": ["itemId[]", "itemId"],
}


def _accounts_of_others() -> Rows:
    """Persons of others, in a checkout of one's own."""
    own = ADD._replace(target="<bound>/items").beside(("authorization", "Bearer <token>"))
    for name in ("<#foreign person>", "<#detail>"):
        body = {"items": [day_ticket(20, personId=name)]}
        refusal = Refusal(422, "unknown-person", ("pointer /items/0/personId",))
        yield Row(Kind.IDS, f"for {name}", own.saying(body), refusal)
