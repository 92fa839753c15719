"""Checks that nothing is exposed to other machines without the operator's consent. Decisions §18."""

from collections.abc import Iterator
from typing import NamedTuple

from faregate_http.protocol.hosts import is_loopback
from faregate_server.settings import Settings


class AllowedExposures(NamedTuple):
    """The things that the operator explicitly allows to be exposed to other machines."""

    demo: bool = False
    no_public_url: bool = False


def exposure_faults(host: str, settings: Settings, allowed: AllowedExposures) -> Iterator[str]:
    """Yield a message for everything that listening on *host* would expose without being *allowed*.

    >>> from faregate_server.settings import Settings
    >>> [*exposure_faults("127.0.0.1", Settings(), AllowedExposures())]
    []
    >>> len([*exposure_faults("0.0.0.0", Settings(), AllowedExposures())])
    2
    """
    if is_loopback(host) or settings.is_development:  # development is refused for other hosts altogether
        return
    where = f"{host} can be reached from other machines"
    if settings.catalogue is None and not allowed.demo:
        yield f"{where}, and the demo resort is for sale: set --catalogue, or allow this with --allow-demo"
    if settings.sandbox is None and settings.has_sandbox:
        yield (
            f"{where}, and the sandbox takes no money: set an identity provider or --no-sandbox, "
            "or allow this with --sandbox"
        )
    if settings.identity_issuer and settings.public_url is None and not allowed.no_public_url:
        yield (
            f"{where}, and without a public URL customers cannot register a means of payment: "
            "set --public-url, or allow this with --allow-no-public-url"
        )
