"""Authentication with tokens from an identity provider or from the service itself. Decisions §13."""
