"""Bases and types shared by bodies and responses."""

from typing import Annotated, Generic, TypeAlias, TypeVar

from msgspec import Meta, Struct
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

Data = TypeVar("Data")

LARGEST_SAFE = 2**53 - 1
"""Largest integer that every JSON implementation represents exactly."""

CatalogueId: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST_SAFE)]
Moment: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=40)]
ViewId: TypeAlias = Annotated[int, Meta(ge=1, le=LARGEST_SAFE)]

Amount: TypeAlias = Annotated[float, Meta(description="In major units, for example 49.5.")]
Percent: TypeAlias = Annotated[float, Meta(description="In percent, for example 8.1.")]
Instant: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Uuid: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]


class Body(BaseModel):
    """Request body: values are not converted, unknown properties are rejected, names are in camelCase."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, alias_generator=to_camel)


def union(name: str) -> Meta:
    """Return a reference to the handwritten schema *name* of a union, which msgspec cannot describe."""
    return Meta(extra_json_schema={"$ref": f"#/components/schemas/{name}"})


class View(Struct, rename="camel", gc=False):
    """Response value, with names in camelCase and without reference cycles."""


class Envelope(View, Generic[Data]):
    """Envelope of a response."""

    data: Data
