"""Detection of checkouts that occur again later in a stream; it costs almost nothing while ids ascend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from faregate.batch.columns.values import Numbers
from faregate.frames.columns.encoded import Ids, array_of, one_array
from faregate.frames.orders.groups import is_ascending, refuse_returns, run_starts

Hashes = npt.NDArray[np.uint64]


class Seen(Protocol):
    """Detector of repeated checkouts; it receives the checkout ids of a stream piece by piece."""

    def add(self, ids: Ids, start: int) -> None:
        """Add the checkout ids of the next rows, which are numbered from *start*."""

    def refuse_returns(self) -> None:
        """Check that the rows of each checkout are contiguous.

        Raises:
            InvalidInput: a checkout occurs again after rows of another one.
        """


class Ascending:
    """Checks piece by piece that the ids of a stream ascend; ``so_far`` holds the result."""

    def __init__(self) -> None:
        self._last: Ids = None
        self.so_far = True

    def add(self, run_ids: Ids) -> None:
        """Add the next ids, one for each run of equal ids."""
        joined = run_ids if self._last is None else pa.concat_arrays([self._last, run_ids])
        self.so_far = self.so_far and is_ascending(joined)
        self._last = run_ids.slice(len(run_ids) - 1)


class KeptIds:
    """Detector of repeated checkouts that keeps all ids, for a stream that cannot be read a second time."""

    def __init__(self, column: str) -> None:
        self._column = column
        self._ascending = Ascending()
        self._ids: list[Ids] = []
        self._rows: list[Numbers] = []

    def add(self, ids: Ids, start: int) -> None:
        """Add the checkout ids of the next rows, which are numbered from *start*."""
        starts = run_starts(ids)
        self._ids.append(ids.take(array_of(starts)))
        self._rows.append(start + starts)
        self._ascending.add(self._ids[-1])

    def refuse_returns(self) -> None:
        """Check that the rows of each checkout are contiguous.

        Raises:
            InvalidInput: a checkout occurs again after rows of another one.
        """
        if not self._ascending.so_far:
            refuse_returns(pa.concat_arrays(self._ids), np.concatenate(self._rows), column=self._column)


class RereadIds:
    """Detector of repeated checkouts that keeps no ids; if they do not ascend, *read* yields them again.

    In that case, it keeps an eight-byte hash of each id and, if two are equal, reads all ids once more.
    """

    def __init__(self, column: str, read: Callable[[], Iterable[Ids]]) -> None:
        self._column = column
        self._read = read
        self._ascending = Ascending()

    def add(self, ids: Ids, start: int) -> None:
        """Add the checkout ids of the next rows."""
        self._ascending.add(ids.take(array_of(run_starts(ids))))

    def refuse_returns(self) -> None:
        """Check that the rows of each checkout are contiguous.

        Raises:
            InvalidInput: a checkout occurs again after rows of another one.
        """
        if self._ascending.so_far:
            return
        hashes = np.sort(np.concatenate([_hashes(ids) for ids, _ in _runs(self._read())]))
        suspect = np.unique(hashes[1:][hashes[1:] == hashes[:-1]])
        if len(suspect):
            self._judge(suspect)

    def _judge(self, suspect: Hashes) -> None:
        ids, rows = [], []
        for run_ids, starts in _runs(self._read()):
            index = np.flatnonzero(np.isin(_hashes(run_ids), suspect))
            ids.append(run_ids.take(array_of(index)))
            rows.append(starts[index])
        refuse_returns(pa.concat_arrays(ids), np.concatenate(rows), column=self._column)


def _runs(batches: Iterable[Ids]) -> Iterator[tuple[Ids, Numbers]]:
    """Yield, for each batch, the first id of each run of equal ids, and its row number."""
    last, start = None, 0
    for batch in batches:
        ids = one_array(batch)
        starts = run_starts(ids)
        if len(ids) and last is not None and ids[0] == last:
            starts = starts[1:]
        yield ids.take(array_of(starts)), start + starts
        last, start = ids[-1] if len(ids) else last, start + len(ids)


def _hashes(ids: Ids) -> Hashes:
    import pandas as pd  # imported on first use

    hashes: Hashes = pd.util.hash_array(ids.to_numpy(zero_copy_only=False), categorize=False)
    return hashes
