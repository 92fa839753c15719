"""Requests and responses: headers, query, JSON, ETags, problems and idempotency keys."""
