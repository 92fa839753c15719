"""A request that is sent again, and whether its answer is the first one."""

from httpx2 import Response

from support.service.service import data_of

KEY = {"idempotency-key": "k-1"}


def is_replayed(response: Response) -> bool:
    return response.headers.get("idempotency-replayed") == "true"


def same(first: Response, second: Response) -> bool:
    """Whether *second* repeats *first*, and says so."""
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
    """How many items of the checkout in a response were added by quantity."""
    return sum(entry["id"] >= 2**31 for entry in data_of(checkout)["items"])
