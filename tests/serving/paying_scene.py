"""A customer for requests that must be refused, and all that they could change."""

from typing import Any, NamedTuple

from starlette.testclient import TestClient

from serving.paying import Customer
from serving.service import Json


class Scene(NamedTuple):
    """A customer with a default, a registration that is open, and somebody else's."""

    client: TestClient
    customer: Customer
    default: Json
    open: str
    foreign: Json

    @classmethod
    def new(cls, client: TestClient) -> "Scene":
        """One at a service of its own."""
        customer, stranger = Customer.new(client), Customer.new(client)
        default = customer.activate(isDefault=True)
        return cls(client, customer, default, customer.register(), stranger.activate(isDefault=True))


def in_state(scene: Scene) -> list[Any]:
    """All that a refused request could have changed."""
    return [
        sorted(scene.customer.listed(), key=str),
        scene.customer.stored(scene.open),
        scene.customer.stored(scene.default["transactionId"]),
        scene.customer.stored(scene.foreign["transactionId"]),
    ]
