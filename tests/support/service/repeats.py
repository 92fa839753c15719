"""Repeated requests, and checks that the first response is repeated."""

from httpx2 import Response

from support.service.service import data_of

KEY = {"idempotency-key": "k-1"}


def is_replayed(response: Response) -> bool:
    return response.headers.get("idempotency-replayed") == "true"


def same(first: Response, second: Response) -> bool:
    """Return whether *second* repeats *first* and is marked as a repetition."""
    kept = [
        {name: value for name, value in response.headers.items() if name != "idempotency-replayed"}
        for response in (first, second)
    ]
    return (
        first.status_code == second.status_code
        and first.content == second.content
        and kept[0] == kept[1]
        and is_replayed(second)
        and not is_replayed(first)
    )


def copies(checkout: Response) -> int:
    """Return the number of copies in the checkout of a response."""
    return sum(entry["id"] >= 2**31 for entry in data_of(checkout)["items"])
