"""A: one cart of 1 to 1000 lines, in Python and in JavaScript. The workload is ``benchmarks.workload``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from benchmarks.compare import Table, Timer, compared, in_turns, timer
from benchmarks.comparison import node, oscar_carts, stockholm_carts
from benchmarks.comparison.contenders import Effort, LeftOut, Section, of_version, ratio
from benchmarks.north_star import CONTENDERS, FLOOR
from benchmarks.workload import SIZES, Contender, Priced, reference

BASE = "faregate, resolved"
PACKAGES = {FLOOR.name: "–", "decimal": "–", "prices": "prices", "py-moneyed": "py-moneyed"}


class Running(NamedTuple):
    """A contender that holds a cart: its timer and its result."""

    timer: Timer
    answer: Priced


@dataclass(frozen=True, slots=True)
class CartPeer:
    """A contender; ``start`` gives it a cart of n lines, and puts what must be closed on the stack."""

    name: str
    version: str
    start: Callable[[int, ExitStack], Running]
    sizes: Sequence[int] = SIZES
    remark: str = ""


def in_python(contender: Contender[Any, Any], package: str) -> CartPeer:
    return CartPeer(contender.name, of_version(package), partial(_started, contender))


def _started(contender: Contender[Any, Any], n: int, _: ExitStack) -> Running:
    contender.difference(n)  # raises if a contender declared exact is not
    call = contender.call(n)
    return Running(timer(call), contender.read(call()))


def in_node(script: str, package: str, remark: str) -> CartPeer:
    node.require(package)

    def start(n: int, stack: ExitStack) -> Running:
        process = stack.enter_context(node.NodePeer(script))
        return Running(process.seconds, process.priced(n))

    return CartPeer(
        package, f"{node.package_version(package)}, Node {node.node_version()}", start, SIZES, remark
    )


def in_oscar() -> CartPeer:
    oscar_carts.prepare()
    sizes = [n for n in SIZES if n <= oscar_carts.MOST_LINES]
    return CartPeer(
        "django-oscar applicator",
        of_version("django-oscar"),
        lambda n, _: Running(*oscar_carts.started(n)),
        sizes,
        "fractions of cents",
    )


def in_stockholm() -> CartPeer:
    return in_python(stockholm_carts.contender(), "stockholm")


MAKERS: list[Callable[[], CartPeer]] = [
    *(partial(in_python, own, PACKAGES.get(own.name, "faregate")) for own in CONTENDERS),
    in_stockholm,
    partial(in_node, "dinero.mjs", "dinero.js", ""),
    partial(in_node, "medusa.mjs", "@medusajs/utils", "never rounds"),
    in_oscar,
]


def made() -> Iterator[CartPeer | str]:
    for make in MAKERS:
        try:
            yield make()
        except LeftOut as reason:
            yield str(reason)


def section(effort: Effort) -> Section:
    found = [*made()]
    peers = [peer for peer in found if isinstance(peer, CartPeer)]
    sizes = SIZES[:3] if effort.quick else SIZES
    columns = [column([peer for peer in peers if n in peer.sizes], n, effort) for n in sizes]
    head = ["", "version", *(f"{n} lines" if n > 1 else "1 line" for n in sizes), "answer"]
    title = f"A(n): µs per cart (ratio to {BASE})"
    table = Table(title, head, [row(peer, columns) for peer in peers])
    return Section("A. One cart", [table], [own for own in found if isinstance(own, str)])


class Cell(NamedTuple):
    """Time of a contender for one size, and its result."""

    time: str
    answer: str


NONE = Cell("–", "")


def column(peers: Sequence[CartPeer], n: int, effort: Effort) -> dict[str, Cell]:
    """Return the cells by the name of the contender."""
    with ExitStack() as stack:
        running = [peer.start(n, stack) for peer in peers]
        rounds = in_turns([own.timer for own in running], effort.rounds)
    names = [peer.name for peer in peers]
    times = compared(rounds, names.index(BASE))
    return {
        name: Cell(f"{time.seconds * 1e6:,.1f} ({ratio(time.ratio)})", difference(own.answer, n))
        for name, time, own in zip(names, times, running, strict=True)
    }


def row(peer: CartPeer, columns: Sequence[dict[str, Cell]]) -> list[str]:
    cells = [own.get(peer.name, NONE) for own in columns]
    times = [cell.time for cell in cells]
    return [peer.name, peer.version, *times, in_words(peer, [cell.answer for cell in cells])]


def difference(answer: Priced, n: int) -> str:
    exact = reference(n)
    if answer == exact:
        return ""
    wrong = sum(row != own for row, own in zip(exact.rows, answer.rows, strict=True))
    off = [own - right for own, right in zip(answer.totals, exact.totals, strict=True)]
    parts = [
        f"{name} {cents:+}"
        for name, cents in zip(("gross", "net", "discount net"), (off[6], off[7], off[5]), strict=True)
        if cents
    ]
    return f"{', '.join(parts) + ' cents; ' if parts else ''}{wrong} of {n} lines other"


def in_words(peer: CartPeer, answers: Sequence[str]) -> str:
    """Return "exact", or the difference at the largest size that is not exact."""
    wrong = [answer for answer in answers if answer]
    own = wrong[-1] if wrong else "exact"
    return f"{peer.remark}: {own}" if peer.remark and wrong else own
