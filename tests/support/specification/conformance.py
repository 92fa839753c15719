"""Schemathesis on the demo resort: requests made from the OpenAPI document, and every answer checked.

The document is read as it is served, but for two things. Answers have no more fields than it says. And
``accept-language`` may be absent or anything: the one place where the service takes more than it says, since
decisions §15 have it read as English.
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.core.transport import Response
from schemathesis.engine import events, from_schema
from schemathesis.hooks import HookContext
from starlette.types import ASGIApp

from faregate_server.app import create_app
from faregate_server.settings import Settings
from support.service.service import KEYS, Clock, on_site
from support.service.unlimited import UNLIMITED
from support.specification.conformant_customers import Customers, FromHere, Realism, name_of
from support.specification.openapi_conformity import DOCUMENT, Json, closed

CASES = int(os.environ.get("FAREGATE_CASES", "0"))
"""So many cases are demanded of a whole run; 0: only the examples of the document are tried."""

SEED = int(os.environ.get("FAREGATE_SEED") or random.SystemRandom().randrange(2**32))


def leniently_read(document: Json) -> Json:
    """*document* as it is tried: answers are closed, a language is optional."""
    read = closed(document)
    language = read["components"]["parameters"]["acceptLanguage"]
    language["required"] = False
    language["schema"] = {"type": "string"}
    return read


# ---------------------------------------------------------------- what is found


@dataclass(slots=True)
class Found:
    """What a run did and found."""

    cases: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    succeeded: Counter[str] = field(default_factory=Counter)
    faults: dict[tuple[str, str, str], str] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many cases were tried."""
        return sum(self.cases.values())

    def checks(self) -> set[str]:
        """The checks that found something."""
        return {check for check, _, _ in self.faults}

    def take(self, event: Any) -> None:
        """Note what a finished scenario did; an error of the run itself is a fault as well."""
        match event:
            case events.ScenarioFinished():
                self._take(event.phase.name.lower(), event.recorder)
            case events.NonFatalError() | events.FatalError():
                error = getattr(event, "info", None) or getattr(event, "exception", "")
                self.faults["error", type(event).__name__, str(error)[:200]] = str(error)

    def _take(self, phase: str, recorder: Any) -> None:
        self.cases[phase] += len(recorder.cases)
        for case_id, interaction in recorder.interactions.items():
            if interaction.response is None:
                continue
            status = interaction.response.status_code
            self.statuses[status] += 1
            node = recorder.cases.get(case_id)
            if node is not None and status < 300:
                self.succeeded[name_of(node.value)] += 1
        for checks in recorder.checks.values():
            for check in filter(lambda check: check.failure_info is not None, checks):
                failure = check.failure_info.failure
                key = (check.name, str(failure.operation), f"{failure.title}: {failure.message}"[:300])
                self.faults.setdefault(key, check.failure_info.code_sample)

    def report(self) -> str:
        """All of it, to be read."""
        answered = ", ".join(f"{count} x {status}" for status, count in sorted(self.statuses.items()))
        lines = [f"{self.total} cases, {dict(self.cases)}; answered {answered}"]
        lines += [f"{' | '.join(key)}\n  {sample}" for key, sample in self.faults.items()]
        return "\n".join(lines)


# ---------------------------------------------------------------- what is right to refuse

_IDS, _STATE, _MEANING = 404, 409, 422

# A request as the document has it may still be refused, for what no schema can say.
_OF_CHECKOUTS = (
    _IDS,  # an id that was drawn is of no checkout, item or code
    _STATE,  # sold out, paid already, an id that is taken
    412,  # the revision that was drawn is not that of the checkout
    _MEANING,  # a variant, a validity, a code, an answer that the resort does not have
)
_OF_WINDOWS = (
    400,  # days, durations and variants are each right, and not together, or not of that product
    _IDS,
)
ACCEPTED: Mapping[str, tuple[int, ...]] = {
    "getCheckout": (_IDS, _STATE, 304),  # 304: the ETag that was drawn is *
    "explainCheckout": (_IDS, _STATE, 304),
    "addItems": _OF_CHECKOUTS,
    "removeItems": _OF_CHECKOUTS,
    "setConditions": _OF_CHECKOUTS,
    "changeQuantity": _OF_CHECKOUTS,
    "addCode": _OF_CHECKOUTS,
    "dropCode": _OF_CHECKOUTS,
    "payCheckout": _OF_CHECKOUTS,
    "getPaymentStatus": (_IDS,),
    "priceAccess": (_MEANING,),  # ids that nothing has, dates that no text of that length must be
    "priceInsights": _OF_WINDOWS,
    "listValidities": _OF_WINDOWS,
    "suggestValidities": _OF_WINDOWS,
    "getProduct": (_IDS, 304),
    "authenticate": (401,),  # text that was drawn is no token
    "getAccount": (),
    "scheduleDeletion": (),
    "addPerson": (_STATE, _MEANING),  # a hundred persons; answers that the form does not take
    "changePerson": (_IDS, _MEANING),
    "registerPaymentDetail": (_STATE, _MEANING),  # fifty details; pages that the channel does not allow
    "listPaymentDetails": (),
    "unsetDefaultPaymentDetail": (_IDS,),
    "getOrder": (_IDS,),
    "getOrderNotices": (_IDS,),
}
"""With what each operation may answer a request that is as declared, beside 2xx."""

_AFTER_OTHERS_WENT = {"changeQuantity"}
"""Operations on one item: a deletion names other items in its query, and is taken for one of all of them."""

_ABOUT_SHAPE = {
    *("invalid-json", "invalid-body", "body-too-large", "unsupported-media-type", "method-not-allowed"),
    *("missing-token", "unknown-channel", "idempotency-key-reused"),
}
_WITH_WINDOWS = {"priceInsights", "listValidities", "suggestValidities"}


def refused_for_its_meaning_only(_context: object, response: Response, case: Any) -> None:
    """A request that is as declared is refused for what it means, never for how it looks."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code < 400:
        return
    code, name = response.json().get("code"), name_of(case)
    allowed = set() if name in _WITH_WINDOWS else {"invalid-request"}
    allowed |= set() if name == "authenticate" else {"invalid-token"}
    assert code not in _ABOUT_SHAPE | allowed, f"{name} refuses what is declared: {response.text}"


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is tried: so many cases for each operation, and so many in walks along the links."""

    fuzzing: int
    walking: int
    seed: int = SEED


EXAMPLES_ONLY = Effort(0, 0)

_WALKS = 60
_MOST_ROUNDS = 60


def config_of(phases: Collection[str], *, examples: int, seed: int) -> SchemathesisConfig:
    """All checks, in those *phases*; an operation at a time what it may refuse."""
    return SchemathesisConfig.from_dict(
        {
            "seed": seed,
            "continue-on-failure": True,
            "generation": {
                "max-examples": examples,
                "database": "none",
                "no-shrink": True,
                "with-security-parameters": False,  # tokens are real; the checks take them away again
            },
            "phases": {
                name: {"enabled": name in phases} for name in ("examples", "coverage", "fuzzing", "stateful")
            },
            "operations": [
                {
                    "include-operation-id": name,
                    "checks": {
                        "positive_data_acceptance": {"expected-statuses": ["2xx", *statuses]},
                        "use_after_free": {"enabled": name not in _AFTER_OTHERS_WENT},
                    },
                }
                for name, statuses in ACCEPTED.items()
            ],
        }
    )


def rounds(effort: Effort, found: Found) -> Iterator[SchemathesisConfig]:
    """What is run, one after the other.

    Hypothesis ends a walk that goes otherwise when it is repeated, as it does in a shop that remembers; then
    another begins, from another seed.
    """
    if not effort.fuzzing:
        yield config_of(["examples"], examples=1, seed=effort.seed)
        return
    yield config_of(["examples", "coverage", "fuzzing"], examples=effort.fuzzing, seed=effort.seed)
    for number in range(1, _MOST_ROUNDS + 1):
        if found.cases["stateful_testing"] >= effort.walking:
            return
        yield config_of(["stateful"], examples=_WALKS, seed=effort.seed + number)


# ---------------------------------------------------------------- the run


@contextmanager
def _hooked(realism: Realism) -> Iterator[None]:
    """A run with *realism* around every call, and none after it, and with our own check."""

    # Schemathesis knows hooks by their names.
    def before_call(_context: HookContext, case: Any, _kwargs: dict[str, Any]) -> None:
        realism.prepare(case)

    def after_call(_context: HookContext, case: Any, response: Response) -> None:
        realism.learn(case, response)

    schemathesis.hook(before_call)
    schemathesis.hook(after_call)
    if refused_for_its_meaning_only.__name__ not in schemathesis.checks.CHECKS.get_all_names():
        schemathesis.check(refused_for_its_meaning_only)
    try:
        yield
    finally:
        schemathesis.hooks.unregister(before_call)
        schemathesis.hooks.unregister(after_call)


def service(folder: Path) -> ASGIApp:
    """The demo resort with its development issuer, which holds nobody up."""
    settings = Settings(
        database=f"sqlite:///{folder}/conformance.db",
        catalogue=on_site(folder),
        channel_keys=KEYS,
        public_url="http://localhost",
        is_development=True,
        **UNLIMITED,
    )
    return create_app(settings, clock=Clock())


def _at(path: str, document: Json) -> Json:
    """What *document* says of one path, from which no links lead on."""
    methods = document["paths"][path]
    for operation in methods.values():
        operation["responses"]["200"].pop("links", None)
    return {**document, "paths": {path: methods}}


def run(app: ASGIApp, channel: str, effort: Effort, *, path: str | None = None) -> Found:
    """What is found in *app* by customers of *channel*, at that *path* or at all."""
    here = FromHere(app)
    customers = Customers(here, channel, effort.seed)
    realism = Realism(channel, customers, effort.seed)
    found = Found()
    with _hooked(realism):
        for config in rounds(effort, found):
            document = leniently_read(DOCUMENT)
            schema = schemathesis.openapi.from_dict(_at(path, document) if path else document, config=config)
            schema.app = here
            schema.config.update(base_url="http://testserver")
            schema.auth(refresh_interval=None)(customers.provider())
            for event in from_schema(schema).execute():
                found.take(event)
    sys.stdout.write(f"FAREGATE_SEED={effort.seed}, channel {channel}: {found.report()}\n")
    return found
