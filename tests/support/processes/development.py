"""``faregate serve --dev`` as a process on a free port of this machine."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def development_server(folder: Path) -> Iterator[str]:
    """Yield the address of a development server with a database in *folder*; stop it after the block."""
    command = [sys.executable, "-m", "faregate_cli", "serve", "--dev", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        try:
            announced = next(line for line in process.stdout if b"curl" in line).decode()
            found = re.search(r"http://[^/]+", announced)
            assert found is not None
            yield found[0]
        finally:
            process.terminate()
