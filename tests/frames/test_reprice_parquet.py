"""Parquet files repriced as a stream: the rows of ``reprice``, and a complete file or none."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from threading import Event, active_count
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.discounts.kinds import Percentage, PromoCode
from faregate.discounts.pricing_rules import PricingRules
from faregate.errors import InvalidInput, InvalidLines
from faregate.frames import reprice, reprice_parquet
from faregate.frames.orders import groups as order_groups
from faregate.frames.orders import parquet as order_parquet
from faregate.frames.orders import returns as order_returns
from faregate.frames.orders import streams as order_streams
from faregate.frames.orders.returns import KeptIds, RereadIds

CATEGORIES = pa.dictionary(pa.int32(), pa.string())
RULES = PricingRules(promo_codes=(PromoCode(code="TEN", kind=Percentage.percent(10)),))


def orders(ids: list[Any], **columns: Any) -> pa.Table:
    count = len(ids)
    usual = {
        "unit_price": [(990 + 37 * row) % 5000 for row in range(count)],
        "quantity": [1 + row % 3 for row in range(count)],
        "rate": ["8.1", "2.6"] * (count // 2) + ["0"] * (count % 2),
        "codes": ["ten" if len(str(own)) % 2 else "" for own in ids],
        "note": [f"n{row}" for row in range(count)],
    }
    return pa.table({"checkout": ids, **usual, **columns})


def in_pieces(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Use batches and pieces of a few rows."""
    monkeypatch.setattr(order_parquet, "STREAM_ROWS", rows)


def repriced(folder: Path, table: pa.Table, **options: Any) -> pa.Table:
    pq.write_table(table, folder / "orders.parquet", row_group_size=5)
    reprice_parquet(folder / "orders.parquet", folder / "repriced.parquet", RULES, **options)
    return pq.read_table(folder / "repriced.parquet")


def refusal(folder: Path, table: pa.Table, **options: Any) -> tuple[str, ...]:
    with pytest.raises(InvalidInput) as refused:
        repriced(folder, table, **options)
    assert [file.name for file in folder.iterdir()] == ["orders.parquet"]
    return refused.value.messages


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 100])
@pytest.mark.parametrize(
    "ids",
    [
        [1, 1, 1, 2, 3, 3, 9, 9, 9, 9, 9, 9, 9, 10],
        ["b", "b", "a", "c", "c", "", "", "aa"],
        [7] * 20,
        [],
    ],
    ids=["ascending", "in any order", "one checkout", "nothing"],
)
def test_the_file_has_the_rows_of_the_frame(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ids: list[Any], rows: int
) -> None:
    in_pieces(monkeypatch, rows)
    table = orders(ids)

    assert repriced(tmp_path, table, prefix="new_").equals(reprice(table, RULES, prefix="new_"))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["orders.parquet", "repriced.parquet"]


def test_progress_receives_the_number_of_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_pieces(monkeypatch, 3)
    told: list[tuple[int, int]] = []

    repriced(tmp_path, orders([1, 1, 2, 3, 4, 5, 5]), progress=lambda *done: told.append(done))

    assert told[-1] == (7, 7)
    assert all(before < after and total == 7 for (before, _), (after, total) in pairwise(told))


def test_the_next_rows_are_read_and_priced_while_the_caller_waits() -> None:
    asked = Event()

    def items() -> Iterator[int]:
        yield 1
        asked.set()
        yield 2

    with ThreadPoolExecutor(1) as threads:
        ahead = order_parquet._ahead(items(), threads)

        assert next(ahead) == 1
        assert asked.wait(20)
        assert list(ahead) == [2]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_interruption_leaves_neither_a_file_nor_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    in_pieces(monkeypatch, 2)
    before = active_count()

    def interrupted(done: int, total: int) -> None:
        raise error

    with pytest.raises(error):
        repriced(tmp_path, orders([*range(40)]), progress=interrupted)
    assert [file.name for file in tmp_path.iterdir()] == ["orders.parquet"]
    assert active_count() == before


@pytest.mark.parametrize("dtype", [pa.string(), pa.large_string(), pa.string_view(), CATEGORIES], ids=str)
def test_strings_keep_their_type_and_nulls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dtype: pa.DataType
) -> None:
    in_pieces(monkeypatch, 3)
    codes = pa.array(["ten", "ten", None, "six", None, "ten", "six ten", ""]).cast(dtype)
    table = orders([1, 1, 2, 3, 4, 5, 6, 7], codes=codes).replace_schema_metadata({"own": "kept"})

    found = repriced(tmp_path, table)

    assert found.equals(reprice(pq.read_table(tmp_path / "orders.parquet"), RULES), check_metadata=True)
    assert found.schema.field("codes").type == dtype


def test_ids_are_written_without_a_dictionary(tmp_path: Path) -> None:
    repriced(tmp_path, orders([1, 1, 2]))

    with pq.ParquetFile(tmp_path / "repriced.parquet") as file:
        group = file.metadata.row_group(0)
        columns = [group.column(index) for index in range(group.num_columns)]
    assert [own.path_in_schema for own in columns if "RLE_DICTIONARY" not in own.encodings] == ["checkout"]


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    file, target = tmp_path / "orders.parquet", tmp_path / "repriced.parquet"
    pq.write_table(orders([*range(1000)]), file, compression="zstd")
    content = file.read_bytes()
    file.write_bytes(content[:4] + bytes(1000) + content[1004:])

    with pytest.raises(InvalidInput, match=r"orders\.parquet: cannot be read as Parquet: "):
        reprice_parquet(file, target, RULES)
    assert not target.exists()


def test_a_file_may_replace_its_source(tmp_path: Path) -> None:
    table, file = orders([1, 1, 2]), tmp_path / "orders.parquet"
    pq.write_table(table, file)

    reprice_parquet(file, file, RULES)

    assert pq.read_table(file).equals(reprice(table, RULES))


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize("rows", [1, 2, 3, 100])
@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["b", "b", "a", "c", "b"], "checkout 'b' occurs again in row 4: "),
        ([5, 5, 7, 6, 7, 7, 5], "checkout 7 occurs again in row 4, and 1 more: "),
        (pa.array([5, 6, 5], pa.uint64()), "checkout 5 occurs again in row 2: "),
        (pa.array([5, 6, 5], pa.date32()), "checkout datetime.date(1970, 1, 6) occurs again in row 2: "),
        (pa.array([b"\xff", b"a", b"\xff"]), "checkout b'\\xff' occurs again in row 2: "),
        (pa.array([True, False, True]), "checkout True occurs again in row 2: "),
    ],
)
def test_a_repeated_checkout_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ids: Any, message: str, rows: int
) -> None:
    in_pieces(monkeypatch, rows)

    (fault,) = refusal(tmp_path, orders(list(ids)).set_column(0, "checkout", pa.array(ids)))

    assert message.partition(",")[0].rstrip(": ") in fault


def test_ids_with_equal_hashes_are_distinguished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_pieces(monkeypatch, 2)
    monkeypatch.setattr(order_returns, "_hashes", lambda ids: np.zeros(len(ids), np.uint64))

    assert len(repriced(tmp_path, orders(["b", "a", "d", "c"]))) == 4


def test_issues_of_all_pieces_are_reported_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_pieces(monkeypatch, 2)
    table = orders([1, 2, 3, 4, 5, 6, 7, 8], quantity=[1, 0, 1, 1, 0, 1, 1, -1], rate=["x", *["8.1"] * 7])

    with pytest.raises(InvalidLines) as refused:
        repriced(tmp_path, table)

    quantity, rate = refused.value.messages
    assert quantity == "column 'quantity': zero in 2 rows: row 1, row 4"
    assert rate.startswith("column 'rate': not a rate in percent in 1 row: row 0 (")
    assert not (tmp_path / "repriced.parquet").exists()


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        (orders([1]), {"by": "order"}, "no column 'order' among "),
        (orders([1], quantity=["1"]), {}, "column 'quantity': expected ints, got string"),
        (orders([1], total_net=[1]), {}, "column 'total_net': a result has the same name; "),
    ],
)
def test_unreadable_files_are_refused_at_once(
    tmp_path: Path, table: pa.Table, options: dict[str, Any], message: str
) -> None:
    assert message in refusal(tmp_path, table, **options)[0]


def test_files_other_than_parquet_are_refused(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("checkout,unit_price\n")

    for name in ("orders.csv", "nowhere.parquet"):
        with pytest.raises(InvalidInput, match=rf"{name}: cannot be read as Parquet: "):
            reprice_parquet(tmp_path / name, tmp_path / "repriced.parquet", RULES)


def test_unwritable_target_is_reported(tmp_path: Path) -> None:
    source, target = tmp_path / "orders.parquet", tmp_path / "nowhere" / "repriced.parquet"
    pq.write_table(orders([1]), source)

    with pytest.raises(InvalidInput, match=r"repriced\.parquet: cannot be written: \S.*[^.]$"):
        reprice_parquet(source, target, RULES)


# ---------------------------------------------------------------- streams

ids = st.lists(st.text("ab\x00", max_size=3), max_size=12)


@given(drawn=ids, size=st.integers(1, 5))
def test_repeated_checkouts_are_found_however_a_stream_is_split(drawn: list[str], size: int) -> None:
    runs = [own for row, own in enumerate(drawn) if not row or drawn[row - 1] != own]
    batches = [pa.array(drawn[start : start + size], pa.string()) for start in range(0, len(drawn), size)]

    def comes_again(seen: order_returns.Seen) -> bool:
        """Return True if a checkout occurs again in whole checkouts, one after the other."""
        for row, own in enumerate(runs):
            seen.add(pa.array([own], pa.string()), row)
        try:
            seen.refuse_returns()
        except InvalidInput:
            return True
        return False

    expected = len(set(runs)) < len(runs)
    assert comes_again(KeptIds("checkout")) is expected
    assert comes_again(RereadIds("checkout", lambda: batches)) is expected


def test_a_long_checkout_is_not_searched_repeatedly(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []

    def run_starts(own: Any) -> Any:
        looked.append(len(own))
        return order_groups.run_starts(own)

    monkeypatch.setattr(order_streams, "run_starts", run_starts)
    batches = pa.table({"checkout": [1] * 1000}).to_batches(max_chunksize=1)

    pieces = list(order_streams._whole_checkouts(batches, "checkout", 4))

    assert [len(piece) for piece in pieces] == [1000]
    assert sum(looked) < 3000


@pytest.mark.parametrize(
    ("ids", "starts"), [([], []), ([7], [0]), ([7, 7, 8], [0, 2]), ([7, None, None], [0, 1, 2])]
)
def test_a_null_is_unlike_any_id(ids: list[int | None], starts: list[int]) -> None:
    assert order_groups.run_starts(pa.array(ids, pa.int64())).tolist() == starts


@pytest.mark.parametrize("lines", [1, 1023, 1024, 5000])
def test_the_last_checkout_is_found_from_the_end(lines: int) -> None:
    assert order_streams._last_start(pa.array([7] * 9 + [8] * lines)) == 9
