"""What the service can do, as data: the router, the checks and the OpenAPI document are made from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pydantic import BaseModel

    from faregate_http.answers import Answer
    from faregate_http.calls import Call
    from faregate_http.parameters import Parameter
    from faregate_http.services import Services

__all__ = ["Operation"]

Handler: TypeAlias = "Callable[[Call, Services], Awaitable[Answer]]"


class Operation(NamedTuple):
    """One method of one path. ``is_extension``: the specification does not have it."""

    method: str
    path: str
    handler: Handler
    name: str
    summary: str
    answer: type
    body: type[BaseModel] | None = None
    query: tuple[Parameter[object], ...] = ()
    refusals: tuple[int, ...] = ()
    is_extension: bool = False

    @property
    def has_revisions(self) -> bool:
        """Whether what it answers has an ETag, which requests may name."""
        return self.path.startswith("/api/checkout/")
