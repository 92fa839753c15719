"""Imports of the frames, and messages about missing packages."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import faregate.frames
import faregate.frames.accessor

LOADED = """
import json, sys
import faregate.frames
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names)))
"""

REPRICED = """
import sys
from faregate import Percentage, PromoCode, PricingRules
from faregate.frames import reprice_parquet
ten = PricingRules(promo_codes=(PromoCode(code="TEN", kind=Percentage.percent(10)),))
reprice_parquet("{folder}/orders.parquet", "{folder}/repriced.parquet", ten)
print("pandas" in sys.modules)
"""


def printed_by(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_frames_load_narwhals_and_no_engine() -> None:
    loaded = set(json.loads(printed_by(LOADED)))

    assert {"faregate", "narwhals"} <= loaded
    assert loaded.isdisjoint({"dask", "duckdb", "pandas", "polars", "pyarrow", "pyspark"})


def test_repricing_a_file_does_not_load_pandas(tmp_path: Path) -> None:
    columns = {"checkout": [1, 1, 2], "unit_price": [5, 5, 5], "quantity": [1, 1, 2], "rate": [0, 0, 0]}
    pq.write_table(pa.table(columns | {"codes": ["", "", "TEN"]}), tmp_path / "orders.parquet")

    assert printed_by(REPRICED.format(folder=tmp_path)) == "False"


@pytest.mark.parametrize(
    ("module", "package", "missing"),
    [(faregate.frames, "narwhals", "narwhals.stable.v2"), (faregate.frames.accessor, "pandas", "pandas")],
    ids=["frames", "accessor"],
)
def test_a_missing_package_names_the_extra_to_install(
    module: ModuleType, package: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)

    with pytest.raises(
        ImportError, match=rf"^{module.__name__} needs {package}: install faregate\[frames\]$"
    ):
        importlib.reload(module)
