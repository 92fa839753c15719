"""A request and its answer: headers, query, JSON, ETags, problems, and keys under which it has one effect."""
