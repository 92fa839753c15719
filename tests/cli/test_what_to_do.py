"""Every failure is reported with fault, location and remedy; as JSON on request."""

import inspect
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer import Exit
from typer.main import get_command
from typer.models import OptionInfo

from faregate_cli.app import app
from faregate_cli.program import OF_CATALOGUES, OF_PRICES, OF_SERVICE
from faregate_cli.terminal.errors import database_named
from faregate_http.store.contract import StoreUnavailable
from support.cli.price_files import PRICE
from support.cli.running import BASKET, VILLAGE, program, run
from support.documents.stored_values import golden

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
COMMANDS = [
    ["price"],
    ["validities"],
    ["renewals"],
    ["insights"],
    ["reprice"],
    ["refund"],
    ["catalogue", "check"],
    ["serve"],
    ["channel-key"],
    ["migrate"],
    ["check"],
    ["backup"],
    ["token"],
]
PRINTING = [command for command in COMMANDS if command != ["serve"]]

# Call, status, and parts of the message: fault, location and remedy.
WRONG: dict[str, tuple[list[str], int, list[str]]] = {
    "no such basket": (["price", "none.json"], 1, ["none.json", "No such file", "try again"]),
    "a basket that is a folder": (["price", "folder.json"], 1, ["folder.json", "directory"]),
    "a basket cut off": (["price", "cut.json"], 1, ["cut.json:1:2", "property name"]),
    "a catalogue cut off": (["catalogue", "check", "cut.yaml"], 1, ["cut.yaml:2:1", "flow node"]),
    "no such catalogue": (["price", str(BASKET), "--catalogue", "none.yaml"], 1, ["none.yaml"]),
    "a page nowhere": (
        ["price", str(BASKET), "--catalogue", str(VILLAGE), "--html", "none/page.html"],
        1,
        ["none/page.html", "cannot be written", "name another file after --html"],
    ),
    "a page in the place of its basket": (
        ["price", "sound.json", "--html", "./sound.json"],
        1,
        ["--html: sound.json is also an input", "name another file"],
    ),
    "results in the place of their orders": (
        ["reprice", "orders.parquet", "--rules", "rules.yaml", "--output", "linked.parquet"],
        1,
        ["--output: linked.parquet is also an input", "name another file"],
    ),
    "a product misspelt": (["validities", "day-tickt"], 1, ["'day-tickt'", "did you mean 'day-ticket'?"]),
    "a day there is not": (["validities", "day-ticket", "--from", "2026-02-30"], 1, ["--from", "2026-02-30"]),
    "a negative number": (["validities", "day-ticket", "--quantity", "-1"], 2, ["'--quantity'"]),
    "no such prices": (
        ["insights", "none.csv", *PRICE],
        1,
        ["none.csv: the file does not exist"],
    ),
    "prices of another kind": (
        ["insights", "prices.xlsx", *PRICE],
        1,
        ["prices.xlsx: expected a file named .csv"],
    ),
    "Parquet that is none": (
        ["insights", "bad.parquet", *PRICE],
        1,
        ["bad.parquet: cannot be read as Parquet"],
    ),
    "orders that are none": (["reprice", "bad.parquet", "--rules", "rules.yaml"], 1, ["bad.parquet"]),
    "orders in a folder": (
        ["reprice", "folder.parquet", "--rules", "rules.yaml"],
        1,
        ["folder.parquet: is a directory, expected a file"],
    ),
    "no such order": (["refund", "none.json", "--items", "1"], 1, ["none.json", "No such file", "try again"]),
    "nothing returned": (["refund", "order.json"], 2, ["Missing option '--items'"]),
    "no database": (
        ["check", "sqlite:///none.db"],
        2,
        ["sqlite:///none.db", "no such file; name another file"],
    ),
    "a database nowhere": (
        ["migrate", "sqlite:///none/new.db"],
        1,
        ["the directory none does not exist; name anot"],
    ),
    "a database that is none": (
        ["migrate", "sqlite:///bad.csv"],
        1,
        ["file is not a database; name another file"],
    ),
    "a database misspelt": (
        ["migrate", "postgresq://host/name"],
        1,
        ["unsupported database postgresq: use sqlite:///relative.db"],
    ),
    "a database that does not answer": (
        ["migrate", "postgresql://gate@127.0.0.1:1/tickets?timeout=2"],
        1,
        [
            "postgresql://gate@127.0.0.1:1/tickets",
            "check that the server is running, and that host, port, user and name",
        ],
    ),
    "a server that does not answer": (
        ["token", "--server", "http://127.0.0.1:1"],
        1,
        ["http://127.0.0.1:1/", "start one with faregate serve --dev, or name another after --server"],
    ),
    "a command misspelt": (["prize"], 2, ["No such command 'prize'"]),
    "an option misspelt": (["price", "--explan", "basket.json"], 2, ["--explan", "--explain"]),
    "no argument": (["price"], 2, ["Missing argument 'BASKET'"]),
    "no option": (["insights", "prices.csv"], 2, ["Missing option '--price'"]),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create the files that the examples of the help and the faulty calls name."""
    for name in ("folder.json", "folder.csv", "folder.parquet"):
        (tmp_path / name).mkdir()
    (tmp_path / "cut.json").write_text("{")
    (tmp_path / "cut.yaml").write_text("a: [\n")
    (tmp_path / "bad.csv").write_text("price\n5\nx\n")
    (tmp_path / "bad.parquet").write_text("PAR")
    (tmp_path / "prices.csv").write_text("price,weekday\n69.00,Mon\n79.00,Sat\n89.00,Sat\n")
    (tmp_path / "rules.yaml").write_text("currency: CHF\n")
    (tmp_path / "resort.yaml").write_text(VILLAGE.read_text("utf-8"))
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    orders = {"checkout": [1], "unit_price": [7900], "quantity": [1], "rate": [81_000]}
    pq.write_table(pa.table(orders), tmp_path / "orders.parquet")
    (tmp_path / "linked.parquet").symlink_to(tmp_path / "orders.parquet")
    (tmp_path / "sound.json").write_text(BASKET.read_text("utf-8"))
    (tmp_path / "order.json").write_text(json.dumps(golden("faregate.totals/1")))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def one_object(text: str) -> dict[str, Any]:
    """Return the only JSON object in *text*."""
    value: dict[str, Any] = json.loads(text)
    assert isinstance(value, dict)
    return value


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("call", "status", "said"), WRONG.values(), ids=WRONG)
def test_failures_name_fault_location_and_remedy(call: list[str], status: int, said: list[str]) -> None:
    result = run(*call)

    assert (result.exit_code, result.stdout) == (status, "")
    assert [part for part in said if part not in result.stderr] == []
    assert "Traceback" not in result.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("call", "status", "said"), WRONG.values(), ids=WRONG)
def test_with_json_failures_are_json(call: list[str], status: int, said: list[str]) -> None:
    result = run(*call, "--json")

    error = one_object(result.stderr)["error"]
    found = [part for part in said if part not in "\n".join(error["faults"])]
    assert (result.exit_code, result.stdout) == (status, "")
    assert sorted(error) == ["faults", "outcome"]
    assert error["outcome"]
    assert set(found) <= {"try again"}


def example_of(command: list[str]) -> list[str]:
    """Return the example at the end of a command's help."""
    *_, head, call = run(*command, "--help").stdout.splitlines()
    assert head == "  Example:"
    name, *words = shlex.split(call)
    assert name == "faregate"
    return words


@pytest.mark.usefixtures("folder")
def test_the_examples_of_the_help_work_as_written() -> None:
    ran = [example_of(command) for command in COMMANDS if command[0] not in {"serve", "token"}]

    results = [run(*example) for example in ran]

    assert [result.exit_code for result in results] == [0] * len(ran), [each.stderr for each in results]


@pytest.mark.parametrize("command", [["serve"], ["token"]])
def test_the_examples_that_need_a_server_are_calls(command: list[str]) -> None:
    assert run(*example_of(command), "--help").exit_code == 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", PRINTING, ids=" ".join)
def test_every_command_that_prints_has_a_json_option(command: list[str]) -> None:
    if command in (["check"], ["backup"]):
        run("migrate", "sqlite:///checkouts.db")
    assert "--json" in run(*command, "--help").stdout.split()
    if command == ["token"]:
        return

    result = run(*[word for word in example_of(command) if word != "--json"], "--json")

    assert (result.exit_code, result.stderr) == (0, "")
    assert all(re.fullmatch(r"[a-z][a-zA-Z]*", key) for key in one_object(result.stdout))


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_help_lists_every_command_in_its_group(columns: int) -> None:
    text = run("--help", columns=columns).stdout

    sections = [line.removesuffix(":") for line in text.splitlines() if line.endswith(":") and line[0] != " "]
    assert sections == ["Options", OF_PRICES, OF_CATALOGUES, OF_SERVICE]
    assert {command[0] for command in COMMANDS} <= {
        line.split()[0] for line in text.splitlines() if line.strip()
    }
    assert "Exit status:" in text


@pytest.mark.parametrize("columns", [80, 200])
def test_no_line_of_the_help_is_cut_off(columns: int) -> None:
    assert "..." not in run("--help", columns=columns).stdout.replace('["..."]', "").replace("[ARGS]...", "")


def test_every_command_is_in_a_group() -> None:
    program_: Any = get_command(app)

    assert set(program_.commands) == {command[0] for command in COMMANDS}
    assert {command.rich_help_panel for command in program_.commands.values()} == {
        OF_PRICES,
        OF_CATALOGUES,
        OF_SERVICE,
    }


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_placeholder_does_not_name_its_option(command: list[str]) -> None:
    """Typer 0.27 writes an option like its placeholder if they differ in case only: ``--RULE``."""
    found: Any = get_command(app)
    for word in command:
        found = found.commands[word]

    hints = get_type_hints(inspect.unwrap(found.callback), include_extras=True)
    for name, hint in hints.items():
        option = getattr(hint, "__metadata__", (None,))[0]
        if isinstance(option, OptionInfo) and option.metavar == name.upper():
            assert option.default == f"--{name}"


@pytest.mark.parametrize(
    ("url", "error", "advice"),
    [
        (
            "sqlite:///a.db",
            "cannot open a.db: database is locked",
            "; wait until other programs finish writing, or stop them",
        ),
        ("sqlite:///a.db", "cannot open a.db: disk I/O error", "; name another file"),
        ("sqlite:///a.db", "a.db already exists: name another file", ""),
        (
            "postgresql://host/name",
            "cannot open the database: no password",
            "; check that the server is running",
        ),
    ],
)
def test_a_database_that_cannot_be_opened_is_reported_with_advice(
    url: str, error: str, advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Exit), database_named(url):
        raise StoreUnavailable(error)

    said = capsys.readouterr().err
    assert said.startswith(f"{url}: {error}{advice}")
    assert said.count("\n") == 1


def test_a_port_in_use_is_named_with_advice(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = program("serve", "--port", port, "--database", f"sqlite:///{tmp_path}/checkouts.db")

    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (1, b"")
    assert f"cannot listen on 127.0.0.1, port {port}: " in said
    assert "choose another with --port" in said
    assert said.splitlines()[-1] == "nothing was served: correct the fault above and try again"
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid"])
def test_a_foreign_address_is_named_with_advice(host: str, tmp_path: Path) -> None:
    asked = ("--allow-demo", "--sandbox", "--database", f"sqlite:///{tmp_path}/checkouts.db")
    done = program("serve", "--host", host, "--port", "0", *asked)

    assert done.returncode == 1
    assert b"choose an address of this machine with --host" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_an_interrupt_prints_nothing() -> None:
    # The test process may ignore interrupts, and its children would inherit that.
    heeding = "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    heeding += "runpy.run_module('faregate_cli', run_name='__main__')"
    command = [sys.executable, "-c", heeding, "price", "-"]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **pipes) as process:
        assert process.stdin is not None
        # It is reading once the first half of a basket larger than any pipe is written.
        process.stdin.write(b" " * 1_000_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)

    assert (process.returncode, out, err) == (130, b"", b"")


def test_missing_extras_are_json_too() -> None:
    code = "import sys; sys.modules['yaml'] = None; from faregate_cli.__main__ import main; main()"
    command = [sys.executable, "-c", code, "price", str(BASKET), "--catalogue", str(VILLAGE), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert one_object(done.stderr)["error"] == {
        "outcome": "this command needs yaml",
        "faults": ["install faregate[cli]"],
    }
