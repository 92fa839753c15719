"""A running service, its clock and its customers, for the tests of the server."""

from support.service.fixtures import *  # noqa: F403  # all of them are fixtures
