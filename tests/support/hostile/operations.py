"""A valid request for every operation, as a basis for invalid ones."""

from collections.abc import Mapping

from support.hostile.hostility import OPERATIONS, Request, dumped
from support.payment.registering import DETAILS, FORM, PAGES, body_of
from support.service.customers import ADA, AUTHENTICATE, CURRENT, PERSONS
from support.service.gate import ADULT, OF_JSON
from support.service.gate import PATH as GATE
from support.service.raw_requests import CHANNEL, JSON

TOKEN = ("authorization", "Bearer <token>")
HOST = ("host", "localhost")
JOURNEY = "/api/booking/products/11/journey/validities"
STATUS = Request("GET", "<payable>/payment/status")
CHANGE_PERSON = Request("PATCH", f"{PERSONS}/<person>", dumped({"values": ADA}), (*JSON, TOKEN))
UNSET = Request("DELETE", f"{DETAILS}/<detail>/default", headers=(*CHANNEL, TOKEN))
NO_KEY = CHANNEL[:1]
ORDER = Request("GET", "/api/orders/<order>", headers=(*NO_KEY, TOKEN))
NOTICES = Request("GET", "/api/orders/<order>/notices", headers=(*NO_KEY, TOKEN))
GUEST = Request("GET", "/api/orders/<guest order>", headers=(*NO_KEY, ("order-secret", "<order secret>")))
GUESTS_NOTICES = GUEST._replace(target=f"{GUEST.target}/notices")
STAFF = Request("GET", "/api/orders/<order>", headers=CHANNEL)
VALIDITIES = Request("GET", JOURNEY)
PRODUCT = Request("GET", "/api/products/day-ticket")
ASK = Request("POST", GATE, dumped(ADULT), OF_JSON)
SHOW_PAGE = Request("GET", f"{PAGES}/<link>", headers=(HOST,))
LOGIN = Request("POST", AUTHENTICATE, dumped({"idToken": "<id token>"}), JSON)
ACCOUNT = Request("GET", CURRENT, headers=(*CHANNEL, TOKEN))

INTERFACE: Mapping[str, Request] = {
    **OPERATIONS,
    "pay": Request(
        "POST", "<payable>/payment", dumped({"expectedTotal": "<#total>", "provider": "ON_SITE"}), JSON
    ),
    "payment status": STATUS,
    "validities": VALIDITIES,
    "suggested": Request("GET", f"{JOURNEY}/suggested"),
    "product": PRODUCT,
    "insights": Request("GET", "/api/pricing/insights/distribution?productId=11"),
    "gate": ASK,
    "register": Request("POST", f"{DETAILS}/register", dumped(body_of()), (*JSON, TOKEN, HOST)),
    "register as a guest": Request(
        "POST", f"{DETAILS}/register", dumped(body_of(checkoutId="<checkout id>")), (*JSON, HOST)
    ),
    "payment details": Request("GET", DETAILS, headers=(*CHANNEL, TOKEN)),
    "no default": UNSET,
    "login": LOGIN,
    "account": ACCOUNT,
    "deletion": Request("POST", f"{CURRENT}/schedule-deletion", headers=(*CHANNEL, TOKEN)),
    "add person": Request("POST", PERSONS, dumped({"values": ADA}), (*JSON, TOKEN)),
    "change person": CHANGE_PERSON,
    "order": ORDER,
    "notices": NOTICES,
    "order of a guest": GUEST,
    "notices of a guest": GUESTS_NOTICES,
    "order for the staff": STAFF,
}
"""The operations of the API."""

BESIDE: Mapping[str, Request] = {
    path: Request("GET", path, headers=())
    for path in ("/openapi.json", "/health/live", "/health/ready", "/metrics", "/docs")
}
"""The operations beside the API."""

DEVELOPMENT: Mapping[str, Request] = {
    "discovery": Request("GET", "/dev/identity/.well-known/openid-configuration", headers=(HOST,)),
    "keys": Request("GET", "/dev/identity/jwks", headers=(HOST,)),
    "issuer": Request(
        "POST",
        "/dev/identity/token",
        dumped({"subject": "ada"}),
        (HOST, ("content-type", "application/json")),
    ),
    "show page": SHOW_PAGE,
    "submit page": Request(
        "POST", f"{PAGES}/<link>", b"token=<form token>&action=cancel", (HOST, ("content-type", FORM))
    ),
}
"""Operations in development only."""

WITH_BODIES: Mapping[str, Request] = {
    name: request
    for name, request in (INTERFACE | DEVELOPMENT).items()  # type: ignore[operator]  # both are dictionaries
    if ("content-type", "application/json") in request.headers
}
"""Operations that read JSON."""
