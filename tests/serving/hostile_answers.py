"""Answers that the form of a checkout does not take."""

from typing import Any

from serving.hostility import ANSWER, Kind, Refusal, Row, Rows
from serving.service import Json

PARTS = ("addressLine1", "addressLine2", "zip", "city", "state", "countryCode")
NO_FLAGS = [0, 1, 1.5, "true", "", [], [True]]
NO_LINES = [True, 7000, 1.5, [], ["CH"], "", "a\u0000b", "a\nb", "a\u2028", "\u009f", "x" * 201]
NO_ANSWER: dict[str, list[Any]] = {
    "/donation": [True, "", "1", "x", [], [1], -1, -0.01, 1e300, 10**60, 1.005, 1e-300, 10**10 + 1],
    "/weatherGuarantee": NO_FLAGS,
    "/acceptTerms": NO_FLAGS,
    "/newsletter": NO_FLAGS,
    "/billingAddress": [True, 0, "Chur", [], [{"city": "Chur"}]],
    "/shippingAddress": [True, 0, "Chur", [], [{"city": "Chur"}]],
    **{f"/billingAddress/{part}": NO_LINES for part in PARTS},
    **{f"/shippingAddress/{part}": NO_LINES for part in PARTS},
    "/billingAddress/zip": [*NO_LINES, "1" * 21],
    "/billingAddress/countryCode": [*NO_LINES, "ch", "CHE", "C", "\uff23\uff28", "CH\n", "??"],
    **{f"/billingAddress/{name}": ["x"] for name in ("id", "purpose", "", "a~1b", "Zip")},
    "/media": [True, 2, "1", [], [[1, 2]]],
    **{f"/media/{key}": [2] for key in ("0", "01", "x", "", "1.0", "-1", "99999999999", "\u0661", "1\n")},
    "/media/1": [True, "2", 0, -1, 1.5, [], [2], 10**60, 77],
    "/media/2": [2],  # a lunch has no medium
    "/media/77": [2],
    "/arrival": [True, 20261227, "", "x", "2026-02-30", "27.12.2026", "2026-12-27T10:00:00Z", []],
    "/hotel": [True, 1, "", "x" * 81, "a\u0000", "a\nb", "\u2028", "\u009f", []],
    "/guests": [True, "2", 0, -1, 61, 2.5, 2.0, 10**60, 1e300, []],
    "/heardFrom": [True, 1, "", "Friends", "friends ", []],
    **{
        f"/{name}": [1]
        for name in ("what", "", "status", "Donation", "donation ", "__proto__", "a~1b~0c", "$defs")
    },
}


def _answer_at(pointer: str, value: Any) -> Json:
    """Answers with *value* at *pointer*."""
    for step in reversed(pointer.split("/")[1:]):
        value = {step.replace("~1", "/").replace("~0", "~"): value}
    return value  # type: ignore[no-any-return]


def answer_rows() -> Rows:
    """Every answer that is wrong, and where."""
    refusal = Refusal(422, "invalid-checkout", tuple(f"pointer /formValues{place}" for place in OF_SEVERAL))
    yield Row(Kind.RANGES, "several answers", ANSWER.saying({"formValues": SEVERAL}), refusal)
    for pointer, values in NO_ANSWER.items():
        for value in values:
            code, times = _told(pointer, value)
            body = {"formValues": _answer_at(pointer, value)}
            refusal = Refusal(422, code, (f"pointer /formValues{pointer}",) * times)
            kind = (
                Kind.READ_ONLY if pointer.endswith(("status", "__proto__", "id", "purpose")) else Kind.TYPES
            )
            yield Row(kind, f"{pointer} {str(value)[:40]!a}", ANSWER.saying(body), refusal)


SEVERAL = {"donation": -1, "hotel": 3, "billingAddress": {"zip": 7}, "what": 1, "media": {"x": 2}}
OF_SEVERAL = ("/donation", "/billingAddress/zip", "/media/x", "/hotel", "/what")
TWO_FAULTS = [("/arrival", "2026-12-27T10:00:00Z"), ("/guests", 1e300)]
MEDIA = {"/media/1": "unknown-medium", "/media/2": "unknown-medium", "/media/77": "unknown-item"}


def _told(pointer: str, value: Any) -> tuple[str, int]:
    """The code, and how often the place is named: once for each rule of the form that is broken."""
    if pointer in MEDIA and value in (2, 77, 10**60) and type(value) is int:
        return MEDIA[pointer], 1
    is_no_choice = pointer == "/heardFrom" and not isinstance(value, str)
    return "invalid-checkout", 2 if is_no_choice or (pointer, value) in TWO_FAULTS else 1
