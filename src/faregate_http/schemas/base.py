"""What bodies and responses share."""

from __future__ import annotations

from typing import Annotated, Generic, TypeAlias, TypeVar

from msgspec import Meta, Struct
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

Data = TypeVar("Data")

LARGEST_SAFE = 2**53 - 1
"""The largest whole number that every JSON number type holds exactly."""

CatalogueId: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST_SAFE)]
Moment: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=40)]
ViewId: TypeAlias = Annotated[int, Meta(ge=1, le=LARGEST_SAFE)]

Amount: TypeAlias = Annotated[float, Meta(description="In major units, for example 49.5.")]
Percent: TypeAlias = Annotated[float, Meta(description="In percent, for example 8.1.")]
Instant: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Uuid: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]


class Body(BaseModel):
    """What is sent: nothing is converted, nothing unknown is accepted, names are in camelCase."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, alias_generator=to_camel)


def union(name: str) -> Meta:
    """Refer to a union in ``openapi/properties.yaml``: msgspec describes no union of untagged structs."""
    return Meta(extra_json_schema={"$ref": f"#/components/schemas/{name}"})


class View(Struct, rename="camel", gc=False):
    """What is answered: names in camelCase, and no way to hold a reference to itself."""


class Envelope(View, Generic[Data]):
    """The envelope of a response."""

    data: Data
