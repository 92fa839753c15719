"""Fixtures of the HTTP tests: a running service, its clock and its customers."""

from support.service.fixtures import *  # noqa: F403  # all of them are fixtures
