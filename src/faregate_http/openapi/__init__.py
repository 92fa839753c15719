"""What the interface is, in the words of OpenAPI 3.1."""

from faregate_http.openapi.document import openapi_document

__all__ = ["openapi_document"]
