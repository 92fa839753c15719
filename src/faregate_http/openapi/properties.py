"""Descriptions and examples of all properties, kept as YAML and merged into the schemas."""

from faregate_http.openapi.interface import Json, read_yaml

_KEPT: Json = read_yaml("properties.yaml")
_SHARED, _BY_SCHEMA, _EXAMPLES = _KEPT["shared"], _KEPT["schemas"], _KEPT["examples"]

MORE_SCHEMAS: Json = _KEPT["more_schemas"]
"""Handwritten schemas, keyed by name."""


def described(schemas: Json, recorded: Json) -> Json:
    """Return *schemas* with a description and an example for each property.

    *recorded* contains recorded examples, keyed by ``Schema.property``.
    """
    examples = {**recorded, **_EXAMPLES}
    return {name: _with_properties(name, schema, examples) for name, schema in schemas.items()}


def _with_properties(schema: str, content: Json, examples: Json) -> Json:
    if "properties" not in content:
        return content
    texts = {**_SHARED, **_BY_SCHEMA.get(schema, {})}
    properties = {
        name: _with_example({**part, "description": texts[name]}, f"{schema}.{name}", examples)
        for name, part in content["properties"].items()
    }
    return {**content, "properties": properties}


def _with_example(content: Json, name: str, examples: Json) -> Json:
    return {**content, "examples": [examples[name]]} if name in examples else content
