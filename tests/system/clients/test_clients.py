"""Clients generated from the OpenAPI document shop from the login to the tickets.

``make clients`` installs the generators: those for Python in ``.venv-clients``, those for TypeScript beside
this file. A test whose generator, Node.js or Java is missing fails and says how to install it.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from faregate_http.app import OPERATIONS
from support.documentation.pages import ROOT, Page
from support.processes.development import development_server

HERE = Path(__file__).parent
PYTHON = HERE.parents[2] / ".venv-clients" / "bin"
NODE = HERE / "node_modules"
FIRST_WEEK = ROOT / "docs" / "guides" / "first_week.md"

_SECONDS = 300
_PACKAGE = "package_name_override: faregate_client\npost_hooks: []\n"
_STRICT = {
    "strict": True,
    "target": "es2022",
    "module": "nodenext",
    "types": ["node"],
    "skipLibCheck": True,
    "outDir": "built",
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """Yield the address of a development server with its own database."""
    folder = tmp_path / "service"
    folder.mkdir()
    with development_server(folder) as address:
        yield address


@pytest.fixture
def workshop(tmp_path: Path, server: str) -> Path:
    """Return a folder with the walks and the document from the service."""
    folder = tmp_path / "workshop"
    shutil.copytree(HERE / "walks", folder)
    with urlopen(f"{server}/openapi.json", timeout=30) as response:
        (folder / "openapi.json").write_bytes(response.read())
    return folder


def run(folder: Path, program: Path | str, *words: str) -> str:
    """Run a program, check that it succeeds, and return its output."""
    found = shutil.which(program)
    if found is None:
        pytest.fail(
            f"{program} is missing: run make clients (Node.js, Java: tools/debian-packages.sh clients)"
        )
    environment = {**os.environ, "PYTHONPATH": str(folder), "NO_COLOR": "1"}
    done = subprocess.run(
        [found, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def names_in(folder: Path, suffix: str) -> set[str]:
    """Return all names in the generated sources, in lower case without underscores."""
    texts = (path.read_text("utf-8") for path in folder.rglob(f"*{suffix}"))
    return {name.replace("_", "").lower() for text in texts for name in re.findall(r"\w+", text)}


def assert_complete(names: set[str]) -> None:
    assert {operation.name.lower() for operation in OPERATIONS} - names == set()


def assert_shopped(printed: str) -> None:
    """Check that the walk was refused once, paid with card and voucher, and has its tickets."""
    told: dict[str, Any] = json.loads(printed)
    serials = told.pop("serials")

    assert told == {
        "refused": "unknown-code",
        "payment": "SETTLED",
        "vouchers": [50],
        "notices": ["TICKETS_ISSUED"],
    }
    assert len(serials) >= 2
    assert all(re.fullmatch(r"[0-9a-f]{32}", serial) for serial in serials)


def prepare_typescript(folder: Path, *programs: str) -> None:
    """Set the folder up to compile *programs* in strict TypeScript for Node.js."""
    (folder / "node_modules").symlink_to(NODE)
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    configuration = {"compilerOptions": _STRICT, "files": programs}
    (folder / "tsconfig.json").write_text(json.dumps(configuration), "utf-8")


def test_openapi_python_client(workshop: Path, server: str) -> None:
    (workshop / "config.yaml").write_text(_PACKAGE, "utf-8")
    generate = "generate --path openapi.json --output-path faregate_client --meta none --config config.yaml"

    said = run(workshop, PYTHON / "openapi-python-client", *generate.split())

    assert "warning" not in said.lower()
    assert_complete({path.stem.replace("_", "") for path in (workshop / "faregate_client/api").rglob("*.py")})
    assert_shopped(run(workshop, PYTHON / "python", "with_openapi_python_client.py", server))


def test_openapi_generator(workshop: Path, server: str) -> None:
    run(workshop, "java", "-version")

    generate = "generate -i openapi.json -g python -o ."

    said = run(workshop, PYTHON / "openapi-generator-cli", *generate.split())

    assert "ERROR" not in said
    assert_complete(names_in(workshop / "openapi_client" / "api", ".py"))
    assert_shopped(run(workshop, PYTHON / "python", "with_openapi_generator.py", server))


def test_openapi_typescript(workshop: Path, server: str) -> None:
    prepare_typescript(workshop, "with_openapi_fetch.ts")
    run(workshop, NODE / ".bin" / "openapi-typescript", "openapi.json", "--output", "schema.ts")

    run(workshop, NODE / ".bin" / "tsc")

    assert_complete(names_in(workshop, "schema.ts"))
    assert_shopped(run(workshop, "node", "built/with_openapi_fetch.js", server))


def test_typescript_of_the_first_week_guide_compiles(workshop: Path) -> None:
    blocks = [block for block in Page(FIRST_WEEK).blocks if block.language == "typescript"]
    names = [block.name or "unnamed.ts" for block in blocks]
    for name, block in zip(names, blocks, strict=True):
        (workshop / name).write_text(block.text, "utf-8")
    prepare_typescript(workshop, *names)
    run(workshop, NODE / ".bin" / "openapi-typescript", "openapi.json", "--output", "api.ts")

    run(workshop, NODE / ".bin" / "tsc")


def test_hey_api(workshop: Path, server: str) -> None:
    prepare_typescript(workshop, "with_hey_api.ts")
    configuration = {"input": "openapi.json", "output": {"path": "client", "module": {"extension": ".js"}}}
    (workshop / "openapi-ts.config.json").write_text(json.dumps(configuration), "utf-8")
    run(workshop, NODE / ".bin" / "openapi-ts")

    run(workshop, NODE / ".bin" / "tsc")

    assert_complete(names_in(workshop / "client", "sdk.gen.ts"))
    assert_shopped(run(workshop, "node", "built/with_hey_api.js", server))
