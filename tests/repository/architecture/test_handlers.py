"""The adapter is thin: a handler loads, lets the core decide, saves and renders."""

import inspect

import pytest

from faregate_http.app import OPERATIONS
from faregate_http.operations import ForAccount, Operation, WithoutChannel

MAX_LINES = 20


def lines_of(operation: Operation) -> int:
    """Return the length of a handler without docstring, blank lines and decorators."""
    handler = operation.handler
    function = handler.handle if isinstance(handler, ForAccount | WithoutChannel) else handler
    return len(inspect.getsource(function).splitlines())


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_a_handler_fits_in_twenty_lines(operation: Operation) -> None:
    assert lines_of(operation) <= MAX_LINES


def test_a_handler_is_a_coroutine_function_of_a_routes_module() -> None:
    for operation in OPERATIONS:
        handler = operation.handler
        function = handler.handle if isinstance(handler, ForAccount | WithoutChannel) else handler
        assert inspect.iscoroutinefunction(function)
        assert function.__module__.startswith("faregate_http.routes.")
