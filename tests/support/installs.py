"""faregate as users install it: built distributions, in new environments with the packages of the lock."""

import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from support.documentation.pages import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
# `make extras` creates an environment for each; otherwise the modules of all other packages are hidden.
INSTALLED = os.environ.get("FAREGATE_EXTRAS") == "installed"


def distributions(names: list[str], extra: str = "") -> set[str]:
    """Return *names* with all their installed requirements, direct and indirect."""
    found: set[str] = set()
    for text in names:
        wanted = Requirement(text)
        if wanted.marker is not None and not wanted.marker.evaluate({"extra": extra}):
            continue
        if wanted.name == "faregate":
            found |= distributions([each for of in wanted.extras for each in EXTRAS[of]])
        else:
            found |= {canonicalize_name(wanted.name)}
            for of in ("", *sorted(wanted.extras)):
                found |= _required(wanted.name, of)
    return found


@cache
def _required(name: str, extra: str) -> frozenset[str]:
    try:
        return frozenset(distributions(requires(name) or [], extra))
    except PackageNotFoundError:
        return frozenset()


def megabytes(names: set[str]) -> float:
    """Return the size of the installed files of *names*, without what Python compiles."""
    files = [found.locate() for name in names for found in distribution(name).files or ()]
    return sum(Path(file).stat().st_size for file in files if Path(file).suffix != ".pyc") / 1e6


def built(folder: Path) -> tuple[Path, Path]:
    """Build the source distribution in *folder*, and from that the wheel; return both."""
    _run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT))
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


def wheel_from(source: Path, folder: Path) -> Path:
    """Return the wheel that pip makes from a source distribution."""
    _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(source))
    return next(folder.glob("*.whl"))


def environment(folder: Path, wheel: Path, extras: list[str], brought: tuple[str, ...] = ()) -> str:
    """Return the Python of a new environment with *wheel*, its *extras* and *brought*.

    Packages come from the lock, by their hashes. The wheel comes last and without an index, so that pip
    refuses it if the lock lacks a package.
    """
    _run(sys.executable, "-m", "venv", "--without-pip", str(folder))
    python = str(folder / "bin" / "python")
    wanted = distributions([*(each for of in extras for each in EXTRAS[of]), *brought])
    if wanted:
        lock = folder / "lock.txt"
        lock.write_text("\n".join(block for name, block in _locked() if name in wanted), encoding="utf-8")
        # The lock has extras of packages, such as markdown-it-py[linkify], that are not wanted here.
        alone = ("--no-compile", "--no-deps", "--require-hashes")
        _pip("--python", python, "install", *alone, "--requirement", str(lock))
    _pip(
        "--python",
        python,
        "install",
        "--no-compile",
        "--no-index",
        f"{wheel}[{','.join(extras)}]" if extras else str(wheel),
    )
    return python


def _locked() -> list[tuple[str, str]]:
    """Return the name and the lines of each package in the lock."""
    blocks = re.split(r"\n(?=\w)", (ROOT / "requirements/dev.txt").read_text(encoding="utf-8"))
    return [(canonicalize_name(re.split(r"[=\[]", block, maxsplit=1)[0]), block) for block in blocks]


def _pip(*words: str) -> None:
    _run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words)


def _run(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, check=False, encoding="utf-8")
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
