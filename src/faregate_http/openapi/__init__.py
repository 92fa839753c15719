"""The interface as an OpenAPI 3.1 document."""

from faregate_http.openapi.document import openapi_document

__all__ = ["openapi_document"]
