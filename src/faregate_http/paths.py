"""Dispatch of requests to the endpoints of declared paths."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping

from starlette.types import ASGIApp, Receive, Scope, Send

from faregate_http.endpoint import send_problem
from faregate_http.protocol.problems import Problem

# RFC 3986, 2.3: these mean the same encoded or not, and some software decodes an encoded slash. A proxy that
# guards /metrics compares the path as sent.
_DISGUISED = re.compile(
    "|".join(f"%{ord(sign):02X}" for sign in f"{string.ascii_letters}{string.digits}-._~/").encode(),
    re.IGNORECASE,
)


class _Branch:
    """Declared paths that begin alike; ``parameter`` continues those with a parameter, called ``name``."""

    def __init__(self) -> None:
        self.named: dict[str, _Branch] = {}
        self.parameter: _Branch | None = None
        self.name = ""
        self.endpoint: ASGIApp | None = None

    def grown(self, segment: str) -> _Branch:
        """Return the continuation with *segment* of a declared path, added if it is new."""
        if not segment.startswith("{"):
            return self.named.setdefault(segment, _Branch())
        name = segment.strip("{}")
        if self.parameter is None:
            self.parameter, self.name = _Branch(), name
        if self.name != name:
            raise ValueError(f"expected one name for a parameter, got {self.name} and {name}")
        return self.parameter


class Paths:
    """ASGI application that serves the declared paths of *endpoints* and passes other requests to *app*.

    A path in which a letter, digit, hyphen, dot, underscore, tilde or slash is percent-encoded gets a 404.
    A parameter, such as ``{checkoutId}``, stands for a segment that is not empty and has no name of its own.

    Starlette's router tries one route after another and creates objects for each request. That would account
    for a quarter of the time spent on a request for a gate price.
    """

    def __init__(self, app: ASGIApp, endpoints: Mapping[str, ASGIApp]) -> None:
        self._app = app
        self._fixed = {path: endpoint for path, endpoint in endpoints.items() if "{" not in path}
        self._root = _Branch()
        for path, endpoint in endpoints.items():
            branch = self._root
            for segment in path.split("/"):
                branch = branch.grown(segment)
            branch.endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif _DISGUISED.search(scope.get("raw_path") or b""):
            await send_problem(Problem(404, "not-found"), scope, send)
        else:
            await self._found(scope)(scope, receive, send)

    def _found(self, scope: Scope) -> ASGIApp:
        path = path_of(scope)
        if path in self._fixed:  # gate prices above all
            scope["path_params"] = {}
            return self._fixed[path]
        branch, parameters = self._root, {}
        for segment in path.split("/"):
            following = branch.named.get(segment)
            if following is None and segment:
                following, parameters[branch.name] = branch.parameter, segment
            if following is None:
                return self._app
            branch = following
        scope["path_params"] = parameters
        return branch.endpoint or self._app


def path_of(scope: Scope) -> str:
    """Return the path in *scope* below the path at which the application is mounted."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))
