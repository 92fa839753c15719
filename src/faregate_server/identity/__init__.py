"""Who somebody is: tokens of an identity provider, and the service's own. Decisions §13."""
