"""Parts of the OpenAPI document that types do not describe, in YAML: texts, headers, links and problems."""

from importlib.resources import files
from typing import Any, TypeAlias

import msgspec

Json: TypeAlias = dict[str, Any]


def read_yaml(name: str) -> Json:
    """Return the content of the YAML file *name* in this package."""
    found: Json = msgspec.yaml.decode(files("faregate_http.openapi").joinpath(name).read_bytes())
    return found


INTERFACE: Json = read_yaml("interface.yaml")
"""Content of ``interface.yaml``."""
