"""Authentication by tokens from an identity provider and from the service itself. Decisions §13."""
