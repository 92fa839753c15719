"""pydantic, msgspec and cattrs read and write public values as documents do."""

import json
import subprocess
import sys
from typing import Any

import attrs
import cattrs
import msgspec
import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ValidationError

from faregate.basket.lines import Line
from faregate.checkout.requirements import Customer
from faregate.discounts.kinds import Absolute, DiscountKind, PerUnit, PromoCode
from faregate.documents import encode
from faregate.documents.hooks import Stored, dec_hook, enc_hook, register
from faregate.list_prices.steps import ListPrice
from faregate.subscriptions.rules import Monthly, RenewalRule, Yearly
from faregate.totals.pipeline import CheckoutTotals
from support.documents.stored_values import SPRING, TICKET, TOTALS


class Order(BaseModel):
    kind: PerUnit | Absolute
    rule: RenewalRule = Monthly()
    lines: tuple[Line, ...] = ()
    codes: dict[str, PromoCode] = {}
    totals: CheckoutTotals | None = None
    price: ListPrice | None = None
    payer: Customer | None = None


PRICE = ListPrice(10, 12, parts=(ListPrice(4, 5), ListPrice(6, 7)))
ORDER = Order(
    kind=PerUnit(100),
    rule=Yearly(),
    lines=(TICKET,),
    codes={"a": SPRING},
    totals=TOTALS,
    price=PRICE,
    payer=Customer({1: {"firstName": "Ada"}}),
)


@pytest.fixture(autouse=True)
def _fresh_schema() -> None:
    Order.model_rebuild(force=True)  # the import builds it before a mutant is switched on


def test_values_survive_a_round_trip_through_a_model() -> None:
    assert Order.model_validate_json(ORDER.model_dump_json()) == ORDER
    assert Order.model_validate(ORDER.model_dump()) == ORDER
    assert ORDER.model_dump()["lines"] == (encode(TICKET),)
    for kind in (Absolute(100), PerUnit(100)):
        found = Order.model_validate_json(Order(kind=kind).model_dump_json()).kind
        assert type(found) is type(kind)


def test_a_model_names_the_location_of_each_issue() -> None:
    with pytest.raises(ValidationError) as caught:
        Order.model_validate({"kind": PerUnit(1), "lines": [{"key": 1.0, "unitPrise": 3, "quantity": 1}]})

    found = {error["loc"]: error["msg"] for error in caught.value.errors()}
    assert found == {
        ("lines", 0, "unitPrise"): "unknown key: did you mean 'unitPrice'?",
        ("lines", 0, "unitPrice"): "missing key",
        ("lines", 0, "rate"): "missing key",
        ("lines", 0, "key"): "expected an int, got 1.0",
    }


@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_the_schema_of_a_model_describes_its_documents(mode: Any) -> None:
    schema = Order.model_json_schema(mode=mode)
    document = json.loads(ORDER.model_dump_json())

    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    validator.validate(document)
    assert schema["properties"]["lines"]["items"] == {"$ref": "#/$defs/Line"}
    line, payer = document["lines"][0], document["payer"]
    twice = [["age", "adult"]] * 2
    kinds: Any = ({"type": "Monthly"}, {"amount": 100}, {"type": "PerUnit", "amount": "1"})
    fields: Any = ({"odd": 1}, {"attributes": twice}, {"zone": {}})
    damages: list[Any] = [{"kind": kind} for kind in kinds] + [{"lines": [line | odd]} for odd in fields]
    for damage in [*damages, {"payer": payer | {"persons": [[1]]}}]:
        assert not validator.is_valid({**document, **damage})


def test_msgspec_holds_values_in_a_wrapper() -> None:
    class Sale(msgspec.Struct):
        kind: Stored[DiscountKind]
        line: Stored[Line]

    sale = Sale(Stored(PerUnit(100)), Stored(TICKET))

    text = msgspec.json.encode(sale, enc_hook=enc_hook)

    assert msgspec.json.decode(text, type=Sale, dec_hook=dec_hook) == sale
    assert json.loads(text)["line"] == encode(TICKET)
    with pytest.raises(msgspec.ValidationError, match=r"expected one of .* at `\$\.kind`|type: expected one"):
        msgspec.json.decode(text.replace(b"PerUnit", b"PerUnits"), type=Sale, dec_hook=dec_hook)
    with pytest.raises(NotImplementedError):
        msgspec.json.encode(object(), enc_hook=enc_hook)


def test_cattrs_reads_and_writes_values() -> None:
    @attrs.define
    class Sale:
        kind: PerUnit | Absolute
        line: Line | None
        codes: list[PromoCode]

    converter = cattrs.Converter()
    register(converter)
    sale = Sale(PerUnit(100), TICKET, [SPRING])

    written = converter.unstructure(sale)

    assert converter.structure(json.loads(json.dumps(written)), Sale) == sale
    assert written["codes"] == [encode(SPRING)]


def test_documents_load_only_the_standard_library() -> None:
    program = """
import sys, faregate.documents, faregate.documents.hooks
print([name for name in ("pydantic", "pydantic_core", "msgspec", "cattrs") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"
