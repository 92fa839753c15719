"""Authentication by tokens of an identity provider and of the service itself. Decisions §13."""
