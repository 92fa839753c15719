"""Refuse to show other machines what the operator did not ask for by name. Decisions §18."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from faregate_http.protocol.hosts import is_loopback

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faregate_server.settings import Settings


class AllowedExposures(NamedTuple):
    """The exposures that the operator asked for by name."""

    demo: bool = False
    no_public_url: bool = False


def exposure_faults(host: str, settings: Settings, allowed: AllowedExposures) -> Iterator[str]:
    """Yield what a service that listens on *host* must not show to other machines, each with its way out.

    >>> from faregate_server.settings import Settings
    >>> [*exposure_faults("127.0.0.1", Settings(), AllowedExposures())]
    []
    >>> len([*exposure_faults("0.0.0.0", Settings(), AllowedExposures())])
    2
    """
    if is_loopback(host) or settings.is_development:  # development is refused there as a whole
        return
    where = f"{host} can be reached from other machines"
    if settings.catalogue is None and not allowed.demo:
        yield f"{where}, and the demo resort is for sale: set --catalogue, or ask for it with --allow-demo"
    if settings.sandbox is None and settings.has_sandbox:
        yield (
            f"{where}, and the sandbox takes no money: set an identity provider or --no-sandbox, "
            "or ask for it with --sandbox"
        )
    if settings.identity_issuer and settings.public_url is None and not allowed.no_public_url:
        yield (
            f"{where}, and without a public URL customers can register no means of payment: "
            "set --public-url, or ask for that with --allow-no-public-url"
        )
