"""The part of the OpenAPI document that no type tells: prose, headers, links and problems, kept as YAML."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, TypeAlias

import msgspec

Json: TypeAlias = dict[str, Any]

INTERFACE: Json = msgspec.yaml.decode(files("faregate_http.openapi").joinpath("interface.yaml").read_bytes())
"""What ``interface.yaml`` holds."""
