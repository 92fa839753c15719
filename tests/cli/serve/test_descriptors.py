"""Connections are bounded by the file descriptors that the system allows."""

import pytest

from faregate_cli.serve.descriptors import ENOUGH, RESERVED, most_connections

resource = pytest.importorskip("resource", reason="limits are those of POSIX")

NONE = resource.RLIM_INFINITY


@pytest.mark.parametrize(
    ("limits", "raised"),
    [
        pytest.param((1024, 4096), 4096, id="to the hard limit"),
        pytest.param((1024, 10**6), ENOUGH, id="as far as needed"),
        pytest.param((1024, NONE), ENOUGH, id="no hard limit"),
        pytest.param((4096, 4096), 4096, id="at the hard limit"),
        pytest.param((50_000, 10**6), 50_000, id="never lowered"),
        pytest.param((NONE, NONE), ENOUGH, id="no limit"),
    ],
)
def test_the_soft_limit_is_raised_towards_the_hard_one(
    monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int], raised: int
) -> None:
    changed: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: changed.append(limits))

    assert most_connections() == raised - RESERVED
    assert changed == ([(raised, limits[1])] if limits[0] not in {raised, NONE} else [])


def test_a_tiny_limit_leaves_one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (64, 64))

    assert most_connections() == 1
