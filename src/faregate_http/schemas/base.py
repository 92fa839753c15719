"""What all bodies and all answers share."""

from __future__ import annotations

from msgspec import Struct
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Body(BaseModel):
    """What is sent: nothing is converted, nothing unknown is accepted, names are in camelCase."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, alias_generator=to_camel)


class View(Struct, rename="camel", gc=False):
    """What is answered: names in camelCase, and no way to hold a reference to itself."""
