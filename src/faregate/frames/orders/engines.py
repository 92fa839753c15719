"""Pricing of order frames in each engine: in memory, partition by partition, or as a stream.

Partitioning, shuffling and distribution are left to the engine; the pricing itself is the same for all and
works on Arrow tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw
import pyarrow as pa

from faregate.discounts.pricing_rules import PricingRules
from faregate.errors import InvalidInput
from faregate.frames.columns.encoded import one_array
from faregate.frames.engines import Frame, frame_of, renamed, table_in_kind_of
from faregate.frames.orders.codes import how_often
from faregate.frames.orders.fields import BY, Figures, Lines, OrderReading, Plan, Rows, missing, plan_of
from faregate.frames.orders.returns import KeptIds
from faregate.frames.orders.schema import check_types
from faregate.frames.orders.streams import Pricing, priced_pieces, priced_table


def priced_frame(
    native: object, rules: PricingRules, *, by: str, figures: Figures, prefix: str, reading: OrderReading
) -> Any:
    """Price the orders in *native*; return the *figures* of lines or checkouts in a frame of the same kind.

    Raises:
        InvalidInput: *native* is not a frame, or columns are missing or unreadable.
        InvalidLines: rows are faulty. For a lazy frame, this may be raised only when rows are requested.
    """
    frame = frame_of(native)
    plan = plan_of(by, rules, frame.collect_schema().names(), reading, figures=figures)
    pricing = Pricing(plan, figures, prefix)
    engine: nw.Implementation = frame.implementation
    match engine:
        case nw.Implementation.DASK:
            return _dask(native, replace(pricing, plan=_without_rows(plan)))
        case (
            nw.Implementation.PYSPARK | nw.Implementation.PYSPARK_CONNECT
        ):  # pragma: no cover - `make engines`
            return _spark(native, replace(pricing, plan=_without_rows(plan)))
        case nw.Implementation.POLARS if isinstance(frame, nw.LazyFrame):
            return _lazy_polars(native, pricing)
        case _:
            return _in_memory(frame, pricing)


def _without_rows(plan: Plan) -> Plan:
    """Return *plan*, adapted to an engine whose rows have no order: errors identify rows by their checkout.

    Raises:
        InvalidInput: lines may be scattered and have no keys, so ties would be broken by chance.
    """
    if plan.lines is Lines.SCATTERED and "key" not in plan.names:
        raise InvalidInput(
            "no column 'key': ties are broken by the order of the lines, which this engine does not keep;"
            " number the lines of each checkout in that column, or pass Lines.TOGETHER if they are adjacent"
        )
    return replace(plan, rows=Rows.OF_CHECKOUTS)


def unknown_in_frame(
    native: object, rules: PricingRules, *, by: str, columns: Mapping[str, str | None]
) -> Counter[str]:
    """Count, for each code that *rules* do not define, the checkouts in *native* with that code."""
    frame = frame_of(native)
    own, column = frame.collect_schema().names(), columns.get("codes", "codes")
    faults = [*missing({BY: by, "codes": column}, own, looked_at=set(), given=columns)]
    if faults:
        raise InvalidInput(*faults)
    if column is None or column not in own:
        return Counter()
    chosen = renamed(frame, {BY: by, "codes": column})
    eager = chosen.collect(backend=nw.Implementation.PYARROW) if isinstance(chosen, nw.LazyFrame) else chosen
    table = chosen_columns(eager, Plan(rules, {BY: BY, "codes": "codes"}))
    check_types(table.schema, Plan(rules, {BY: by, "codes": column}))
    known = {promo_code.code for promo_code in rules.promo_codes}
    return how_often(one_array(table.column(BY)), one_array(table.column("codes")), known=known, by=by)


# ---------------------------------------------------------------- in memory


def _in_memory(frame: Frame, pricing: Pricing) -> Any:
    eager = frame.collect(backend=nw.Implementation.PYARROW) if isinstance(frame, nw.LazyFrame) else frame
    chosen = chosen_columns(eager, pricing.plan)
    own = dict(zip(chosen.column_names, chosen.schema.types, strict=True))
    others = [name for name in eager.columns if name not in own]
    pricing.check(pa.schema([*own.items(), *((name, pa.null()) for name in others)]))
    figures = priced_table(chosen, pricing)
    if pricing.figures is Figures.CHECKOUTS:
        return table_in_kind_of(frame, figures)
    if eager.implementation is nw.Implementation.PANDAS:
        return eager.to_native().assign(**_pandas_columns(figures))
    if eager.implementation is nw.Implementation.PYARROW:
        return table_in_kind_of(frame, _beside(eager.to_native(), figures))
    beside = nw.from_arrow(figures, backend=eager.implementation)
    return nw.concat([eager, beside], how="horizontal").to_native()


def chosen_columns(frame: nw.DataFrame[Any], plan: Plan) -> Any:
    """Return the columns of *frame* that *plan* reads, as an Arrow table."""
    columns, faults = {}, []
    for name in dict.fromkeys(plan.names.values()):
        try:
            columns[name] = frame.get_column(name).to_arrow()
        except (pa.ArrowException, TypeError) as mixed:
            faults.append(f"column {name!r}: not of one type: {' '.join(str(mixed).split())}")
    if faults:
        raise InvalidInput(*faults)
    return pa.table(columns)


def _beside(table: Any, figures: Any) -> Any:
    for name in figures.column_names:
        table = table.append_column(name, figures.column(name))
    return table


def _pandas_columns(figures: Any) -> dict[str, Any]:
    """Return *figures* as pandas arrays by name: int64, or a nullable dtype for discount ids."""
    columns = {}
    for name in figures.column_names:
        column = figures.column(name)
        values = column.fill_null(0).to_pandas()
        is_id = name.endswith("auto_discount")
        is_null = column.is_null().to_numpy()
        columns[name] = (values.astype("Int64").mask(is_null) if is_id else values).array
    return columns


# ---------------------------------------------------------------- lazy engines


def _lazy_polars(native: Any, pricing: Pricing) -> Any:
    own = native.collect_schema().to_frame()
    priced = partial(_of_frame, pricing=pricing)
    return native.map_batches(
        priced,
        schema=priced(own).schema,
        # A missing row would change its checkout.
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
    )


def _of_frame(native: Any, pricing: Pricing) -> Any:
    """Price the orders in a pandas frame or in a Polars frame that is not lazy."""
    return _in_memory(frame_of(native), pricing)


def _dask(native: Any, pricing: Pricing) -> Any:
    """Price each partition of a Dask frame; first bring scattered lines of a checkout into one partition."""
    meta = _of_frame(native._meta, pricing)  # noqa: SLF001 - how Dask says what columns there are
    if pricing.plan.lines is Lines.SCATTERED:
        native = native.shuffle(on=pricing.plan.names[BY])
    return native.map_partitions(_of_frame, pricing=pricing, meta=meta)


def _spark(native: Any, pricing: Pricing) -> Any:  # pragma: no cover - `make engines`
    """Price each partition of a Spark frame as a stream; scattered lines are first grouped by checkout."""
    names, schema = native.columns, deepcopy(native.schema)
    pricing.check(native.limit(0).toArrow().schema)
    if pricing.figures is Figures.CHECKOUTS:
        schema = type(schema)([schema[names.index(pricing.plan.names[BY])]])
    for name in pricing.names:
        schema = schema.add(name, "long")
    # By position: Spark reads names as expressions, dots as fields, and ignores case.
    native = native.toDF(*(f"column{index}" for index in range(len(names))))
    if pricing.plan.lines is Lines.SCATTERED:
        by = f"column{names.index(pricing.plan.names[BY])}"
        native = native.repartition(by).sortWithinPartitions(by)
        pricing = replace(pricing, plan=replace(pricing.plan, lines=Lines.TOGETHER))
    return native.mapInArrow(partial(_of_batches, names=names, pricing=pricing), schema)


def _of_batches(
    batches: Iterable[Any], *, names: Sequence[str], pricing: Pricing
) -> Iterator[Any]:  # pragma: no cover - `make engines`
    named = (batch.rename_columns(list(names)) for batch in batches)
    for piece in priced_pieces(named, pricing, KeptIds(pricing.plan.names[BY])):
        yield from piece.to_batches()
