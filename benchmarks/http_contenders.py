"""Contenders that serve HTTP or store rows, each in a process of its own.

``python -m benchmarks.http_contenders KIND KEY FOLDER`` serves one contender on a free port of the loopback
interface, prints the port, responds to each line on its standard input with its CPU time in seconds, and ends
with its input. Contenders with constant responses read them from the folder; databases are created there.
"""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import json
import logging
import random
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread
from time import perf_counter, process_time
from typing import Literal, NamedTuple, TypeAlias
from urllib.parse import urlsplit

import orjson
import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from benchmarks.http_load import LONGEST_LIFE_SECONDS
from benchmarks.http_stores import AiosqliteStore, OwnStore, RowStore, SqlalchemyStore
from benchmarks.http_workload import (
    AT,
    CALENDARS,
    CHANNEL,
    GATE_PATH,
    INSIGHTS,
    fixed_clock,
    random_id,
    roomy_catalogue,
    row_of_4_kb,
)
from faregate.checkout.changes import add_items
from faregate.checkout.expiry import CheckoutStatus, checkout_expiry
from faregate.checkout.item_requests import ItemRequest
from faregate.checkout.model import Checkout
from faregate.checkout.priced import price_checkout
from faregate.files import demo_catalogue
from faregate_cli.serve.middleware import guarded
from faregate_cli.serve.reloading import ReloadingApp
from faregate_http.checkouts.records import CheckoutRecord
from faregate_http.checkouts.stored_inputs import read_inputs, write_inputs
from faregate_http.checkouts.views import checkout_body
from faregate_http.offers.catalogue_views import CatalogueViews
from faregate_http.options import DEFAULT_ADMISSION
from faregate_http.protocol.etags import make_etag
from faregate_http.protocol.instants import from_millis, millis
from faregate_http.protocol.languages import negotiate
from faregate_http.schemas.checkout_bodies import AddItemsBody, ItemEntry
from faregate_http.store.contract import CheckoutRow
from faregate_server.app import create_app
from faregate_server.settings import Settings
from faregate_server.store.sqlite.store import SqliteStore

ANSWER_FILE = "answer.json"
CHECKOUT = "/api/checkout/{checkoutId}"
ITEMS = f"{CHECKOUT}/items"
SHOWN = (*CALENDARS.values(), *INSIGHTS.values())

URL_FILE = "postgresql.url"

_JSON = "application/json"

OpenStore: TypeAlias = Callable[[Path], Awaitable[RowStore]]

# ---------------------------------------------------------------- constant answers


def raw_asgi(answer: bytes) -> ASGIApp:
    """Return an app that reads the request to its end and responds: the minimum of work."""
    start = {
        "type": "http.response.start",
        "status": 200,
        "headers": [(b"content-type", _JSON.encode()), (b"content-length", str(len(answer)).encode())],
    }
    body = {"type": "http.response.body", "body": answer}

    async def app(_scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        await send(start)
        await send(body)

    return app


def starlette_bytes(answer: bytes) -> ASGIApp:
    async def show(_request: Request) -> Response:
        return Response(answer, media_type=_JSON)

    async def take(request: Request) -> Response:
        await request.body()
        return Response(answer, media_type=_JSON)

    routes = [Route(path, show) for path in (CHECKOUT, *(urlsplit(path).path for path in SHOWN))]
    routes += [Route(path, take, methods=["POST"]) for path in (ITEMS, GATE_PATH)]
    return Starlette(routes=routes)


def starlette_orjson(answer: bytes) -> ASGIApp:
    data = orjson.loads(answer)

    async def show(_request: Request) -> Response:
        return Response(orjson.dumps(data), media_type=_JSON)

    return Starlette(routes=[Route(CHECKOUT, show)])


def starlette_json(answer: bytes) -> ASGIApp:
    data = json.loads(answer)

    async def show(_request: Request) -> Response:
        return JSONResponse(data)

    async def add(request: Request) -> Response:
        await request.json()
        return JSONResponse(data)

    return Starlette(routes=[Route(CHECKOUT, show), Route(ITEMS, add, methods=["POST"])])


# ---------------------------------------------------------------- priced and stored, without the adapter


def straightforward(open_rows: OpenStore, database: Path) -> ASGIApp:
    """Return the simplest app: a body model, the core, the same response, a transaction per request."""
    catalogue = demo_catalogue()
    views = CatalogueViews(catalogue)
    edition = "benchmark"

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[Mapping[str, RowStore]]:
        rows = await open_rows(database)
        yield {"rows": rows}
        await rows.close()

    async def add(request: Request) -> Response:
        checkout_id: str = request.path_params["checkoutId"]
        channel = catalogue.channel(request.headers["service-channel-uuid"])
        language = negotiate(request.headers.get("accept-language"))
        body = AddItemsBody.model_validate_json(await request.body())
        requests = [_item_request(entry) for entry in body.items]

        def decide(row: CheckoutRow | None) -> tuple[CheckoutRow, bytes]:
            checkout, started_at = Checkout(channel.uuid), AT
            if row is not None:
                checkout = read_inputs(row.inputs, channel=channel.uuid, account=None, catalogue=catalogue)
                started_at = from_millis(row.started_at)
            changed = add_items(checkout, requests, catalogue=catalogue, at=AT)
            expires_at = checkout_expiry(channel, started_at=started_at, changed_at=AT)
            record = CheckoutRecord(checkout_id, changed, CheckoutStatus.OPEN, started_at, AT, expires_at)
            priced = price_checkout(changed, catalogue=catalogue, at=AT)
            revision = 1 if row is None else row.revision + 1
            return _row(record, revision), checkout_body(record, priced, language, views)

        rows: RowStore = request.state.rows
        answer = await rows.change(checkout_id, decide)
        etag = make_etag(1, CheckoutStatus.OPEN.value, language, edition)
        return Response(answer, media_type=_JSON, headers={"etag": etag, "content-language": language})

    return Starlette(routes=[Route(ITEMS, add, methods=["POST"])], lifespan=lifespan)


def _item_request(entry: ItemEntry) -> ItemRequest:
    return ItemRequest(
        id=entry.id,
        variant=entry.product_variant_id,
        validity=(entry.validity.start, entry.validity.end) if entry.validity else None,
        parent=entry.parent_item_id,
        originated_from=entry.originated_item_id,
        person=entry.person_id,
        discount_card=entry.discount_card_type_id,
    )


def _row(record: CheckoutRecord, revision: int) -> CheckoutRow:
    return CheckoutRow(
        id=record.uuid,
        channel=CHANNEL,
        account=None,
        is_closed=False,
        revision=revision,
        started_at=millis(record.started_at),
        changed_at=millis(record.changed_at),
        expires_at=millis(record.expires_at),
        inputs=write_inputs(record.checkout),
    )


# ---------------------------------------------------------------- all of them

Kind: TypeAlias = Literal["read", "write", "store", "calendar", "gate"]


class Contender(NamedTuple):
    """A contender: its name in the tables, its tables, its app, and its store of rows, if any."""

    name: str
    kinds: tuple[Kind, ...]
    app: Callable[[str, Path], ASGIApp]
    rows: OpenStore | None = None


def _answering(make: Callable[[bytes], ASGIApp]) -> Callable[[str, Path], ASGIApp]:
    return lambda _key, folder: make((folder / ANSWER_FILE).read_bytes())


def _storing(rows: OpenStore) -> Callable[[str, Path], ASGIApp]:
    return lambda key, folder: straightforward(rows, database_file(key, folder))


def _faregate(key: str, folder: Path) -> ASGIApp:
    return _served(f"sqlite:///{database_file(key, folder)}", folder)


def _postgresql(_key: str, folder: Path) -> ASGIApp:
    return _served((folder / URL_FILE).read_text(), folder)


def _served(database: str, folder: Path) -> ASGIApp:
    """Return the app of `faregate serve`, except for its clock and for a queue with room for the load."""
    admission = DEFAULT_ADMISSION._replace(waiting=10_000, wait_seconds=100, request_seconds=600)
    settings = Settings(database=database, catalogue=roomy_catalogue(folder), admission=admission)
    return guarded(ReloadingApp(lambda: create_app(settings, clock=fixed_clock)))


def _forgetful(key: str, folder: Path) -> ASGIApp:
    """Return our app, as if a purchase happened before every request."""

    async def version(_store: SqliteStore) -> None:
        return None

    SqliteStore.version = version  # type: ignore[assignment, method-assign]
    return _faregate(key, folder)


RAW, SQLALCHEMY, OURS, POSTGRESQL = "raw", "sqlalchemy", "faregate", "postgresql"

CONTENDERS: Mapping[str, Contender] = {
    RAW: Contender("raw ASGI, constant bytes", ("read", "write", "calendar", "gate"), _answering(raw_asgi)),
    "bytes": Contender(
        "Starlette, constant bytes", ("read", "write", "calendar", "gate"), _answering(starlette_bytes)
    ),
    "orjson": Contender("Starlette, orjson", ("read",), _answering(starlette_orjson)),
    "json": Contender("Starlette, JSONResponse", ("read", "write"), _answering(starlette_json)),
    SQLALCHEMY: Contender(
        "same core, SQLAlchemy",
        ("write", "store"),
        _storing(SqlalchemyStore.open),
        SqlalchemyStore.open,
    ),
    "aiosqlite": Contender(
        "same core, aiosqlite", ("write", "store"), _storing(AiosqliteStore.open), AiosqliteStore.open
    ),
    OURS: Contender(
        "faregate",
        ("read", "write", "store", "calendar", "gate"),
        _faregate,
        OwnStore.open,
    ),
    POSTGRESQL: Contender("faregate, PostgreSQL", ("write",), _postgresql),
    "forgetful": Contender("faregate, nothing remembered", ("calendar",), _forgetful),
}


def of_kind(kind: Kind) -> list[str]:
    return [key for key, contender in CONTENDERS.items() if kind in contender.kinds]


def database_file(key: str, folder: Path) -> Path:
    return folder / f"{key}.db"


# ---------------------------------------------------------------- a process


def serve(app: ASGIApp) -> None:
    """Run one worker without an access log, as behind a proxy."""
    logging.disable(logging.WARNING)  # responses may be slow on a busy machine
    listening = socket.create_server(("127.0.0.1", 0))
    gc.collect()
    gc.freeze()  # this and the threshold are those of `faregate serve`, for all contenders
    gc.set_threshold(100_000)
    server = uvicorn.Server(
        uvicorn.Config(app, loop="uvloop", http="httptools", access_log=False, log_level="warning")
    )
    Thread(target=_obey, args=(server,), daemon=True).start()
    print(listening.getsockname()[1], flush=True)
    server.run(sockets=[listening])


def _obey(server: uvicorn.Server) -> None:
    for _ in sys.stdin:
        print(process_time(), flush=True)
    server.should_exit = True


class Commits(NamedTuple):
    """Durable rows, the seconds they took, and the CPU time."""

    rows: int
    seconds: float
    cpu: float


async def commit(open_rows: OpenStore, database: Path) -> None:
    """Read lines with a number of seconds and of tasks, and save rows accordingly."""
    rows = await open_rows(database)
    bits = random.Random(database.name).getrandbits
    while line := await asyncio.to_thread(sys.stdin.readline):
        seconds, tasks = json.loads(line)
        print(json.dumps(await _committed(rows, seconds, tasks, bits)), flush=True)
    await rows.close()


async def _committed(rows: RowStore, seconds: float, tasks: int, bits: Callable[[int], int]) -> Commits:
    template = row_of_4_kb("")
    start, cpu = perf_counter(), process_time()

    async def save() -> int:
        count = 0
        while perf_counter() < start + seconds:
            await rows.save(template._replace(id=random_id(bits(128))))
            count += 1
        return count

    count = sum(await asyncio.gather(*(save() for _ in range(tasks))))
    return Commits(count, perf_counter() - start, process_time() - cpu)


def main(arguments: list[str]) -> None:
    faulthandler.dump_traceback_later(LONGEST_LIFE_SECONDS, exit=True)
    kind, key, folder = arguments
    contender = CONTENDERS[key]
    if kind != "store":
        serve(contender.app(key, Path(folder)))
    elif contender.rows is not None:
        uvloop.run(commit(contender.rows, database_file(key, Path(folder))))


if __name__ == "__main__":
    main(sys.argv[1:])
