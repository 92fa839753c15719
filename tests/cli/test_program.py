import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.cli.running import BASKET, VILLAGE, basket, price, program

ROOT = Path(__file__).parents[2]
PRICE = [sys.executable, "-m", "faregate_cli", "price", str(BASKET), "--catalogue", str(VILLAGE)]
HEAVY = {
    "numpy",
    "pydantic",
    "rich",
    "yaml",
    "faregate.files",
    "faregate_http",
    "faregate_server",
    "sqlalchemy",
    "starlette",
}
OF_THE_SERVICE = {
    "alembic",
    "faregate_http",
    "faregate_server",
    "jsonschema",
    "msgspec",
    "pydantic",
    "sqlalchemy",
    "starlette",
    "uvicorn",
}


def in_python(code: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run *code* in a separate interpreter."""
    program_text = f"import sys\n{code}"
    command = [sys.executable, "-c", program_text, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_the_program_prices_a_file() -> None:
    done = program("price", BASKET, "--catalogue", VILLAGE, "--explain=all")

    assert done.returncode == 0
    assert done.stderr == b""
    assert "= To pay" in done.stdout.decode("utf-8")
    assert b"\x1b" not in done.stdout
    assert max(map(len, done.stdout.decode("utf-8").splitlines())) == 80


def test_the_program_reads_standard_input_and_prints_json_only() -> None:
    done = program("price", "-", "--catalogue", VILLAGE, "--json", text=basket().encode())

    assert done.returncode == 0
    assert done.stderr == b""
    assert json.loads(done.stdout)["currency"] == "CHF"


def test_faulty_call_has_status_2() -> None:
    done = program("price")

    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Usage: faregate price" in done.stderr


@pytest.mark.slow
def test_closed_pipe_ends_without_a_message() -> None:
    command = [*PRICE, "--explain", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()

    assert said == b""
    assert process.returncode == 1


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_full_disk_is_reported(options: list[str]) -> None:
    command = [*PRICE, *options]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert done.returncode == 1
    assert "the output cannot be written" in done.stderr
    assert "make room, or write elsewhere" in done.stderr
    assert len(done.stderr.splitlines()) == 1 or "error" in json.loads(done.stderr)


@pytest.mark.slow
def test_characters_missing_from_the_encoding_are_replaced() -> None:
    done = program("price", BASKET, "--catalogue", VILLAGE, PYTHONIOENCODING="ascii")

    assert done.returncode == 0
    assert b"Day ticket - Adult" in done.stdout
    assert b"?" not in done.stdout
    assert b"-" * 80 in done.stdout


@pytest.mark.slow
def test_force_color_enables_colours_and_no_color_disables_them() -> None:
    colourful = program("price", BASKET, "--catalogue", VILLAGE, FORCE_COLOR="1", TERM="xterm")
    plain = program("price", BASKET, "--catalogue", VILLAGE, FORCE_COLOR="1", TERM="xterm", NO_COLOR="1")

    assert b"\x1b[32m" in colourful.stdout
    assert b"\x1b[32m" not in plain.stdout


def test_version_is_printed_without_loading_anything_heavy() -> None:
    done = in_python(
        """
from faregate_cli.__main__ import main
sys.argv = ["faregate", "--version"]
try:
    main()
except SystemExit as done:
    print(done.code, *sorted({module.partition(".")[0] for module in sys.modules}))
"""
    )

    version, loaded = done.stdout.splitlines()
    assert re.fullmatch(r"faregate 0\.\S+, time zones of tzdata 20\d\d\.\d+", version)
    assert loaded.split()[0] == "0"
    assert HEAVY.isdisjoint(loaded.split())


def test_time_zones_come_from_the_package_not_the_machine(tmp_path: Path) -> None:
    own = tmp_path / "Europe"
    own.mkdir()
    machine = "zoneinfo.ZoneInfo.no_cache('Europe/Zurich').utcoffset(datetime(2026, 7, 1))"
    done = in_python(
        f"""
import sys, zoneinfo
from datetime import datetime
from importlib.resources import files
source = files("tzdata.zoneinfo").joinpath("Asia/Tokyo").read_bytes()
open({str(own / "Zurich")!r}, "wb").write(source)  # a machine whose Zurich is Tokyo
zoneinfo.reset_tzpath(to=[{str(tmp_path)!r}])
print({machine})
from faregate_cli.__main__ import main
sys.argv = ["faregate", "--version"]
try:
    main()
except SystemExit:
    print({machine})
"""
    )

    before, _, after = done.stdout.splitlines()
    assert (before, after) == ("9:00:00", "2:00:00")


@pytest.mark.slow
@pytest.mark.parametrize("command", [["price", str(BASKET)], ["validities", "day-ticket"]])
def test_pricing_loads_nothing_of_the_service(command: list[str]) -> None:
    done = in_python(
        f"""
from faregate_cli.__main__ import main
sys.argv = ["faregate", *{command!r}, "--catalogue", {str(VILLAGE)!r}]
try:
    main()
except SystemExit as done:
    print(done.code, *sorted({{module.partition(".")[0] for module in sys.modules}}))
"""
    )

    loaded = done.stdout.splitlines()[-1].split()
    assert loaded[0] == "0"
    assert OF_THE_SERVICE.isdisjoint(loaded)


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["click", "rich", "tzdata", "yaml"])
def test_missing_extra_names_the_package_to_install(missing: str) -> None:
    done = in_python(
        f"""
sys.modules[{missing!r}] = None
from faregate_cli.__main__ import main
sys.argv[0] = "faregate"
main()
""",
        "price",
        BASKET,
        "--catalogue",
        VILLAGE,
    )

    assert done.returncode == 1
    assert done.stderr == f"this command needs {missing}: install faregate[cli]\n"


def test_html_page_contains_the_receipt(tmp_path: Path) -> None:
    file = tmp_path / "receipt.html"

    result = price(basket(), "--html", file)

    assert result.exit_code == 0
    assert "To pay" in result.stdout
    page = file.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "Day ticket · Adult · 27 Dec 2026" in page
