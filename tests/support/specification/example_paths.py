"""Paths with the example values of the OpenAPI document."""

import re

from faregate_http.openapi.interface import INTERFACE


def example_path(path: str) -> str:
    """Return *path* with the example of each parameter.

    >>> example_path("/api/products/{slug}")
    '/api/products/day-ticket'
    """
    parameters = INTERFACE["path_parameters"]
    return path.format_map({name: str(parameters[name]["example"]) for name in re.findall(r"{(\w+)}", path)})
