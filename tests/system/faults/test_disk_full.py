"""A full disk: changes are refused, data can be read, and the service recovers once there is space.

The disk is full in two ways: by a limit on the size of files, which any user can set, and by a file system of
a few megabytes, which only root can mount.
"""

import asyncio
import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.faults.outages import Shopping, live_through
from support.faults.runs import LOSS, caught, long_form, seeded
from support.faults.servers import INN, Service, serving
from support.payment.till import database

TIMES = long_form("FAREGATE_OUTAGES", 2)
_SMALL = 32 << 20

Fill = Callable[[int], None]
"""Use up the space of the process with that id, or free it when called again."""


class FileLimit:
    """A limit that prevents the process from writing to files."""

    def __init__(self) -> None:
        self._is_full = False

    def __call__(self, pid: int) -> None:
        self._is_full = not self._is_full
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0 if self._is_full else hard, hard))


class Ballast:
    """A file that fills a file system."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "ballast"

    def __call__(self, _pid: int) -> None:
        if self._file.exists():
            self._file.unlink()
            return
        with self._file.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(512)):
                    pass
            except OSError:
                return


@contextmanager
def small_file_system(folder: Path) -> Iterator[Path]:
    """Yield a file system of a few megabytes in *folder*."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={_SMALL}", "faregate-test", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting a file system requires root and permission")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture(params=["a limit on files", "a small file system"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, Fill]]:
    """Yield the folder of the database and a way to fill its disk."""
    if request.param == "a limit on files":
        yield tmp_path, FileLimit()
    else:
        with small_file_system(tmp_path / "small") as folder:
            yield folder, Ballast(folder)


async def run_out_of_room(shopping: Shopping, fill: Fill) -> None:
    """Fill the disk, check, free space, and check again, several times."""
    for _ in range(TIMES):
        fill(shopping.server.pid)
        noticed = await shopping.until_away()
        shown = next(purchase for purchase in shopping.purchases if purchase.shown)
        for _ in range(5):
            status, code = await shopping.write()
            assert (status, code) in {(503, "storage-unavailable"), (200, "")}, code
            read = await shopping.client.get(shown.url, headers=shown.headers)
            assert read.status_code == 200, read.text
            assert await shopping.status("/health/live") == 200
            await asyncio.sleep(0.05)
        fill(shopping.server.pid)
        recovered = await shopping.until_ready()
        print(f"noticed after {noticed:.3f} s, recovered after {recovered:.3f} s")  # noqa: T201
        await shopping.goes_well()


def service_in(folder: Path, url: str, *, store: str = "real") -> Service:
    books = folder / "books"
    books.touch()
    return Service(database=url, books=str(books), store=store, catalogue=str(INN))


def test_acknowledged_data_survives_a_full_disk(tmp_path: Path, place: tuple[Path, Fill]) -> None:
    seed = seeded(0)
    folder, fill = place
    with database("sqlite", folder) as url:
        service = service_in(tmp_path, url)
        with serving(service) as server:
            shopping = live_through(service, server, lambda at: run_out_of_room(at, fill), seed=seed)

    assert shopping.answers["storage-unavailable"] > 0


def test_a_store_that_ignores_a_full_disk_is_caught(tmp_path: Path) -> None:
    seed = seeded(0)
    with database("sqlite", tmp_path) as url:
        service = service_in(tmp_path, url, store="shrugging")
        with serving(service) as server, caught(LOSS):
            live_through(service, server, lambda at: run_out_of_room(at, FileLimit()), seed=seed)
