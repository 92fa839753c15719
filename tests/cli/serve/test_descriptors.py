"""Connections are bounded by the file descriptors that the system allows."""

import pytest

from faregate_cli.serve.descriptors import RESERVED, connections_within

resource = pytest.importorskip("resource", reason="limits are those of POSIX")


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Replace the limits of this process by those in a list, whose last entry counts."""
    set_to = [(1024, 4096)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: set_to[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: set_to.append(limits))
    return set_to


@pytest.mark.parametrize(
    ("limit", "most", "connections", "soft"),
    [
        pytest.param((1024, 4096), 500, 500, 1024, id="the limit suffices"),
        pytest.param((1024, 4096), 2000, 2000, 2000 + RESERVED, id="raised as far as needed"),
        pytest.param((1024, 4096), 9000, 4096 - RESERVED, 4096, id="raised to the hard limit"),
        pytest.param((1024, resource.RLIM_INFINITY), 9000, 9000, 9000 + RESERVED, id="no hard limit"),
        pytest.param((64, 64), 9000, 1, 64, id="hardly any"),
    ],
)
def test_the_soft_limit_is_raised_towards_the_hard_one(
    limits: list[tuple[int, int]], limit: tuple[int, int], most: int, connections: int, soft: int
) -> None:
    limits.append(limit)

    assert connections_within(most) == connections
    assert limits[-1] == (soft, limit[1])


def test_without_a_limit_nothing_is_changed(limits: list[tuple[int, int]]) -> None:
    limits.append((resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    assert connections_within(9000) == 9000
    assert len(limits) == 2


def test_a_system_that_refuses_a_higher_limit_keeps_the_old_one(
    limits: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse)

    assert connections_within(2000) == 1024 - RESERVED
