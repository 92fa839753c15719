"""The issues of a gate request: field, code and message."""

import pytest

from faregate.catalogue.catalogue import Catalogue
from faregate.errors import InvalidAccessRequest, IssueCode
from faregate.gate.price import gate_price
from faregate.gate.requests import GateRequest
from support.shops.gate_shop import resort

SIMPLE = resort()


def faults(request: GateRequest, catalogue: Catalogue = SIMPLE) -> list[tuple[str, IssueCode, str]]:
    with pytest.raises(InvalidAccessRequest) as raised:
        gate_price(request, catalogue=catalogue)
    issues = raised.value.issues
    assert all(len(fault.loc) == 1 for fault in issues)
    assert str(raised.value) == "; ".join(fault.message for fault in issues)
    return [(str(fault.loc[0]), fault.code, fault.message) for fault in issues]
