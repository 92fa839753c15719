"""Schemathesis on the demo resort: requests generated from the OpenAPI document, all responses checked.

The document is used as served, with two exceptions. Responses must not have additional fields. And
``accept-language`` may be absent or arbitrary: the only place where the service is more lenient than its
document, because decisions §15 treat such a header as English.
"""

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
"""Number of test cases of a full run; 0: only the examples of the document."""

SEED = int(os.environ.get("FAREGATE_SEED") or random.SystemRandom().randrange(2**32))


def leniently_read(document: Json) -> Json:
    """Return *document* with closed responses and an optional language."""
    read = closed(document)
    language = read["components"]["parameters"]["acceptLanguage"]
    language["required"] = False
    language["schema"] = {"type": "string"}
    return read


@dataclass(slots=True)
class Found:
    """The test cases and findings of a run."""

    cases: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    succeeded: Counter[str] = field(default_factory=Counter)
    faults: dict[tuple[str, str, str], str] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """The number of test cases."""
        return sum(self.cases.values())

    def checks(self) -> set[str]:
        """The checks with findings."""
        return {check for check, _, _ in self.faults}

    def take(self, event: Any) -> None:
        """Record a finished scenario; an error of the run itself counts as a finding."""
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
        """Return a readable summary."""
        answered = ", ".join(f"{count} x {status}" for status, count in sorted(self.statuses.items()))
        lines = [f"{self.total} cases, {dict(self.cases)}; responses {answered}"]
        lines += [f"{' | '.join(key)}\n  {sample}" for key, sample in self.faults.items()]
        return "\n".join(lines)


_IDS, _STATE, _MEANING = 404, 409, 422

# A request that matches the document may still be refused for reasons that a schema cannot express.
_OF_CHECKOUTS = (
    _IDS,  # a random id matches no checkout, item or code
    _STATE,  # sold out, already paid, an id in use
    412,  # a random revision differs from the checkout's
    _MEANING,  # an unknown variant, validity, code or answer
)
_OF_WINDOWS = (
    400,  # days, durations and variants that do not match each other or the product
    _IDS,
)
ACCEPTED: Mapping[str, tuple[int, ...]] = {
    "getCheckout": (_IDS, _STATE, 304),  # 304: the random ETag is *
    "explainCheckout": (_IDS, _STATE, 304),
    "addItems": _OF_CHECKOUTS,
    "removeItems": _OF_CHECKOUTS,
    "setConditions": _OF_CHECKOUTS,
    "changeQuantity": _OF_CHECKOUTS,
    "addCode": _OF_CHECKOUTS,
    "dropCode": _OF_CHECKOUTS,
    "payCheckout": _OF_CHECKOUTS,
    "getPaymentStatus": (_IDS,),
    "priceAccess": (_MEANING,),  # unknown ids, texts of the right length that are not dates
    "priceInsights": _OF_WINDOWS,
    "listValidities": _OF_WINDOWS,
    "suggestValidities": _OF_WINDOWS,
    "getProduct": (_IDS, 304),
    "authenticate": (401,),  # a random text is not a token
    "getAccount": (),
    "scheduleDeletion": (),
    "addPerson": (_STATE, _MEANING),  # a hundred persons; answers that the form refuses
    "changePerson": (_IDS, _MEANING),
    "registerPaymentDetail": (_STATE, _MEANING),  # fifty details; pages that the channel does not allow
    "listPaymentDetails": (),
    "unsetDefaultPaymentDetail": (_IDS,),
    "getOrder": (_IDS,),
    "getOrderNotices": (_IDS,),
}
"""The statuses, other than 2xx, that each operation may return for a matching request."""

_REFUSALS = [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 428, 429, "5xx"]
"""The statuses that refuse a request; 412 and 413 come before the check of the body."""

_AFTER_OTHERS_WENT = {"changeQuantity"}
"""Operations on one item: a deletion names other items in its query, and looks like one of all items."""

_ABOUT_SHAPE = {
    *("invalid-json", "invalid-body", "body-too-large", "unsupported-media-type", "method-not-allowed"),
    *("missing-token", "unknown-channel", "idempotency-key-reused"),
}
_WITH_WINDOWS = {"priceInsights", "listValidities", "suggestValidities"}


def refused_for_its_meaning_only(_context: object, response: Response, case: Any) -> None:
    """Check that a matching request is refused only for its meaning, never for its form."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code < 400:
        return
    code, name = response.json().get("code"), name_of(case)
    allowed = set() if name in _WITH_WINDOWS else {"invalid-request"}
    allowed |= set() if name == "authenticate" else {"invalid-token"}
    assert code not in _ABOUT_SHAPE | allowed, f"{name} refuses a matching request: {response.text}"


@dataclass(frozen=True, slots=True)
class Effort:
    """The numbers of random cases per operation, of cases in walks along the links, and of all cases."""

    fuzzing: int
    walking: int
    least: int = 0
    seed: int = SEED


EXAMPLES_ONLY = Effort(0, 0)

_WALKS = 60
_MOST_ROUNDS = 60


def config_of(phases: Collection[str], *, examples: int, seed: int) -> SchemathesisConfig:
    """Return the configuration: all checks in those *phases*, with the permitted refusals per operation."""
    return SchemathesisConfig.from_dict(
        {
            "seed": seed,
            "continue-on-failure": True,
            "generation": {
                "max-examples": examples,
                "database": "none",
                "no-shrink": True,
                "with-security-parameters": False,  # tokens are real; the checks remove them
            },
            "phases": {
                name: {"enabled": name in phases} for name in ("examples", "coverage", "fuzzing", "stateful")
            },
            "operations": [
                {
                    "include-operation-id": name,
                    "checks": {
                        "positive_data_acceptance": {"expected-statuses": ["2xx", *statuses]},
                        "negative_data_rejection": {"expected-statuses": _REFUSALS},
                        "use_after_free": {"enabled": name not in _AFTER_OTHERS_WENT},
                    },
                }
                for name, statuses in ACCEPTED.items()
            ],
        }
    )


def rounds(effort: Effort, found: Found) -> Iterator[SchemathesisConfig]:
    """Yield the configurations of all runs.

    Hypothesis stops a walk that is not reproducible, which happens in a stateful shop; another walk then
    begins with another seed. Operations with few inputs have fewer random cases; others then have more.
    """
    if not effort.fuzzing:
        yield config_of(["examples"], examples=1, seed=effort.seed)
        return
    yield config_of(["examples", "coverage", "fuzzing"], examples=effort.fuzzing, seed=effort.seed)
    for number in range(1, _MOST_ROUNDS + 1):
        if found.cases["stateful_testing"] < effort.walking:
            yield config_of(["stateful"], examples=_WALKS, seed=effort.seed + number)
        elif found.total < effort.least:
            yield config_of(["fuzzing"], examples=effort.fuzzing, seed=effort.seed + number)


@contextmanager
def _hooked(realism: Realism) -> Iterator[None]:
    """Run with *realism* around every call and with our own check; remove both afterwards."""

    # Schemathesis identifies hooks by name.
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
    """Return the demo resort with its development issuer and without rate limits."""
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
    """Return the part of *document* for one path, without links to other paths."""
    methods = document["paths"][path]
    for operation in methods.values():
        operation["responses"]["200"].pop("links", None)
    return {**document, "paths": {path: methods}}


def run(app: ASGIApp, channel: str, effort: Effort, *, path: str | None = None) -> Found:
    """Return the findings in *app* for customers of *channel*, at *path* or everywhere."""
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
