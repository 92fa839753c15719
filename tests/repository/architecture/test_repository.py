"""Properties of the repository: locked dependencies, a licence, and no traces of a particular machine."""

import hashlib
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MEBIBYTE = 1 << 20
APACHE_2 = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"

MOST_LINES = 400
CODE = re.compile(r"(src|tests|benchmarks|tools|examples)/.*\.(py|js|css)")
LONGER: dict[str, str] = {}
"""Files that are longer, each with the reason against splitting it."""

# Split, so that this file does not match itself.
REGISTRY_HOSTS = ["py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "debian" + ".org"]
ABSOLUTE_PATH = r"(?<![\w.~:/>)-])/(?:work|root|home|Users|opt|mnt)/\w"
UNWANTED = re.compile("|".join([*map(re.escape, REGISTRY_HOSTS), ABSOLUTE_PATH]))


def tracked_files() -> list[Path]:
    """Return all files under version control, including new ones; skip without a git checkout."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    return [ROOT / name for name in sorted(set(done.stdout.split("\0"))) if name and (ROOT / name).is_file()]


FILES = tracked_files()
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
needs_git = pytest.mark.skipif(not FILES, reason="not a git checkout")


def lock_entries(lock: Path) -> list[str]:
    """Return the logical lines of a lock file: without comments, continuation lines joined."""
    lines = lock.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    return [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]


@pytest.mark.slow
@needs_git
def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in FILES
        for match in UNWANTED.finditer(path.read_text(encoding="utf-8", errors="replace"))
    }

    assert found == set()


@needs_git
def test_no_file_is_larger_than_a_mebibyte() -> None:
    assert [str(path) for path in FILES if path.stat().st_size > MEBIBYTE] == []


@needs_git
def test_no_code_is_longer_than_400_lines_without_a_reason() -> None:
    code = [path for path in FILES if CODE.fullmatch(path.relative_to(ROOT).as_posix())]

    longer = {
        path.relative_to(ROOT).as_posix(): length
        for path in code
        if (length := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    }

    assert longer.keys() == LONGER.keys(), longer


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_lock_pins_and_hashes_every_entry(lock: Path) -> None:
    entry = re.compile(r"[a-z0-9-]+(\[[a-z,-]+\])?==[^\s;]+( ; [^\\]+?)?(\s+--hash=sha256:[0-9a-f]{64})+\s*")

    assert [line for line in lock_entries(lock) if not entry.fullmatch(line)] == []


def test_bare_lock_has_none_of_the_dependencies() -> None:
    names = {line.partition("==")[0] for line in lock_entries(ROOT / "requirements" / "bare.txt")}

    assert names.isdisjoint({"numpy", "pydantic"})
    assert {"hypothesis", "pytest", "tzdata"} <= names


def test_smaller_locks_agree_with_the_full_one() -> None:
    def pins(name: str) -> set[str]:
        return {
            re.sub(r"\[.*?\]", "", re.split(r"[\s;]", line)[0])
            for line in lock_entries(ROOT / "requirements" / name)
        }

    assert pins("bare.txt") <= pins("dev.txt")
    assert pins("run.txt") <= pins("dev.txt")


def test_licence_is_the_full_apache_text() -> None:
    assert hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest() == APACHE_2


@pytest.mark.parametrize("package", sorted(path.parent.name for path in (ROOT / "src").glob("*/__init__.py")))
def test_package_is_marked_as_typed(package: str) -> None:
    assert (ROOT / "src" / package / "py.typed").is_file()
