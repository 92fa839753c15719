"""B in data frames: pandas and Polars."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pandas as pd
import polars as pl

from benchmarks.comparison.batch_workload import MILLION, PERCENT_OFF, Answer, Carts, Figures

COLUMNS = list(Figures._fields)

# ---------------------------------------------------------------- pandas


def with_pandas(carts: Carts) -> Callable[[], Any]:
    frame = pd.DataFrame(carts.columns())

    def run() -> Any:
        cart, rate = frame["cart"], frame["rate"]
        rates, place = frame["rate"].factorize()
        group = cart * len(place) + rates
        listed = frame["unit_price"] * frame["quantity"]
        whole = listed.groupby(cart, sort=False).transform("sum")
        code = (whole * PERCENT_OFF + 50) // 100
        product = listed * code
        discount = pandas_shares(product // whole, product % whole, code, cart)
        total = listed - discount
        total_net, discount_net = (pandas_nets(amount, rate, group) for amount in (total, discount))
        answer = pd.DataFrame(
            dict(
                zip(
                    COLUMNS,
                    (listed, total_net + discount_net, discount, discount_net, total, total_net),
                    strict=True,
                )
            )
        )
        return answer, answer.groupby(cart, sort=False).sum()

    return run


def pandas_nets(gross: Any, rate: Any, group: Any) -> Any:
    sums = gross.groupby(group, sort=False).transform("sum")
    net = sums - (2 * sums * rate + MILLION + rate) // (2 * (MILLION + rate))
    scaled = gross * MILLION
    return pandas_shares(scaled // (MILLION + rate), scaled % (MILLION + rate), net, group)


def pandas_shares(floors: Any, remainders: Any, target: Any, group: Any) -> Any:
    short = target - floors.groupby(group, sort=False).transform("sum")
    ranks = remainders.groupby(group, sort=False).rank(method="first", ascending=False)
    return floors + (ranks <= short)


def read_pandas(answer: Any) -> Answer:
    lines, carts = answer
    return Answer(*(Figures(*(own[name].to_numpy() for name in COLUMNS)) for own in (lines, carts)))


# ---------------------------------------------------------------- Polars


def polars_shares(
    name: str, product: pl.Expr, whole: pl.Expr, target: pl.Expr, key: str
) -> list[list[pl.Expr]]:
    """Return three steps: floor and remainder; number of missing units, and rank; share."""
    floor, remainder = pl.col(f"{name}_floor"), pl.col(f"{name}_remainder")
    return [
        [(product // whole).alias(f"{name}_floor"), (product % whole).alias(f"{name}_remainder")],
        [
            (target - floor.sum().over(key)).alias(f"{name}_short"),
            remainder.rank("ordinal", descending=True).over(key).alias(f"{name}_rank"),
        ],
        [(floor + (pl.col(f"{name}_rank") <= pl.col(f"{name}_short")).cast(pl.Int64)).alias(name)],
    ]


def polars_query(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Use windows, with a key for each cart and one for each of its rates."""
    rate = pl.col("rate").cast(pl.Int64)
    listed, whole, code = pl.col("list_gross"), pl.col("whole"), pl.col("code")
    query = (
        frame.with_columns(list_gross=pl.col("unit_price") * pl.col("quantity"))
        .with_columns(whole=listed.sum().over("cart"), key=pl.col("cart") * 2_000_000 + rate)
        .with_columns(code=(whole * PERCENT_OFF + 50) // 100)
    )
    for step in polars_shares("discount_gross", listed * code, whole, code, "cart"):
        query = query.with_columns(step)
    query = query.with_columns(total_gross=listed - pl.col("discount_gross"))
    names = ("total", "discount")
    grosses = [pl.col(f"{name}_gross") for name in names]
    query = query.with_columns(
        own.sum().over("key").alias(f"{name}_sum") for name, own in zip(names, grosses, strict=True)
    )
    sums = [pl.col(f"{name}_sum") for name in names]
    nets = [own - (2 * own * rate + MILLION + rate) // (2 * (MILLION + rate)) for own in sums]
    steps = [
        polars_shares(f"{name}_net", own * MILLION, MILLION + rate, net, "key")
        for name, own, net in zip(names, grosses, nets, strict=True)
    ]
    for total, discount in zip(*steps, strict=True):
        query = query.with_columns(*total, *discount)
    return query.with_columns(list_net=pl.col("total_net") + pl.col("discount_net")).select("cart", *COLUMNS)


def with_polars(engine: Literal["in-memory", "streaming"]) -> Callable[[Carts], Callable[[], Any]]:
    """Use one lazy query for the lines, and derive the carts from its result."""

    def prepare(carts: Carts) -> Callable[[], Any]:
        frame = pl.DataFrame(carts.columns())

        def run() -> Any:
            lines = polars_query(frame.lazy()).collect(engine=engine)
            return lines, polars_sums(lines)

        return run

    return prepare


def with_eager_polars(carts: Carts) -> Callable[[], Any]:
    """Evaluate each step eagerly, which is ``collect`` without the optimiser."""
    frame = pl.DataFrame(carts.columns())

    def run() -> Any:
        lines = polars_query(frame.lazy()).collect(optimizations=pl.QueryOptFlags.none())
        return lines, polars_sums(lines)

    return run


def polars_sums(lines: pl.DataFrame) -> pl.DataFrame:
    return lines.group_by("cart", maintain_order=True).agg(pl.col(COLUMNS).sum())


def read_polars(answer: Any) -> Answer:
    lines, carts = answer
    return Answer(*(Figures(*(own[name].to_numpy() for name in COLUMNS)) for own in (lines, carts)))
