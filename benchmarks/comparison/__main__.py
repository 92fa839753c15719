"""Measure faregate and its peers side by side, and write one Markdown file.

Every contender is first compared with the exact result. Then all contenders of a table take turns, round by
round. A ratio is the median of the ratios within the rounds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks.compare import environment
from benchmarks.comparison import batch, carts, columns
from benchmarks.comparison.contenders import Effort, Section

SECTIONS: dict[str, Callable[[Effort], Section]] = {
    "A": carts.section,
    "B": batch.section,
    "C": columns.distributions,
    "D": columns.renewals,
    "E": columns.windows,
}


def markdown(section: Section) -> str:
    parts = [f"## {section.title}", *(table.markdown() for table in section.tables)]
    return "\n\n".join([*parts, *section.left_out])


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.comparison", description=__doc__)
    parser.add_argument(
        "--only", choices=SECTIONS, nargs="+", default=[*SECTIONS], help="some of the sections"
    )
    parser.add_argument("--rounds", type=int, default=15, help="rounds of a comparison; fewer for slow ones")
    parser.add_argument("--quick", action="store_true", help="small workloads, three rounds")
    parser.add_argument("--output", type=Path, default=Path("build/comparison.md"))
    options = parser.parse_args(None if arguments is None else list(arguments))
    effort = Effort(3 if options.quick else options.rounds, options.quick)
    texts = [environment(collect=False)]
    for name in options.only:
        print(f"{name} ...", file=sys.stderr, flush=True)
        texts.append(markdown(SECTIONS[name](effort)))
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    print(options.output)


if __name__ == "__main__":
    main()
