"""Imports of the frames, and messages about missing packages."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import faregate.frames
import faregate.frames.accessor

FRAMES: Any = faregate.frames
LOADED = """
import json, sys
import faregate.frames
before = [*sys.modules]
faregate.frames.insights
print(json.dumps([before, [*sys.modules]]))
"""

REPRICED = """
import sys
from faregate import Percentage, PromoCode, PricingRules
from faregate.frames import reprice_parquet
ten = PricingRules(promo_codes=(PromoCode(code="TEN", kind=Percentage.percent(10)),))
reprice_parquet("{folder}/orders.parquet", "{folder}/repriced.parquet", ten)
print("pandas" in sys.modules)
"""


def test_frames_load_nothing_before_their_first_use_and_then_no_engine() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)

    before, after = map(set, json.loads(done.stdout))
    assert before.isdisjoint({"narwhals", "numpy", "pyarrow"})
    assert "narwhals" in after
    assert after.isdisjoint({"dask", "duckdb", "pandas", "polars", "pyspark"})


def test_a_missing_package_names_the_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "faregate.frames.prices.arrow")
    monkeypatch.delitem(vars(FRAMES), "counts_table", raising=False)

    with pytest.raises(ImportError, match=r"^faregate.frames needs pyarrow: install faregate\[frames\]$"):
        _ = FRAMES.counts_table


def test_repricing_a_file_does_not_load_pandas(tmp_path: Path) -> None:
    columns = {"checkout": [1, 1, 2], "unit_price": [5, 5, 5], "quantity": [1, 1, 2], "rate": [0, 0, 0]}
    pq.write_table(pa.table(columns | {"codes": ["", "", "TEN"]}), tmp_path / "orders.parquet")
    code = REPRICED.format(folder=tmp_path)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"


def test_the_accessor_names_the_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(
        ImportError, match=r"^faregate.frames.accessor needs pandas: install faregate\[frames\]$"
    ):
        importlib.reload(faregate.frames.accessor)
