"""Laws of merging answers: none is lost or changed on the way in and out. Decisions §11.5."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from faregate.money.amounts import LARGEST_AMOUNT
from faregate_http.offers.forms import merged
from support.service.channel_forms import FORMS, NOTHING
from support.service.service import Json

WEBSHOP = FORMS["Webshop"]


# The examples of appendix A: original, patch, result.
APPENDIX_A: list[tuple[Any, Any, Any]] = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]


@pytest.mark.parametrize(("original", "patch", "result"), APPENDIX_A)
def test_answers_merge_as_in_the_appendix_of_rfc_7396(original: Any, patch: Any, result: Any) -> None:
    # A whole document's patch may be an array or a string, but answers are an object. Below a name, both
    # behave alike.
    assert merged({"target": original}, {"target": patch}) == {"target": result}
    if isinstance(original, dict) and isinstance(patch, dict):
        assert merged(original, patch) == result


def test_null_removes_a_whole_object() -> None:
    # The appendix has one example that leaves null as the document; here the answer is removed.
    assert merged({"target": {"a": "foo"}}, {"target": None}) == {}


def test_merging_leaves_both_as_they_were() -> None:
    values, patch = {"a": {"b": 1}}, {"a": {"c": 2}, "d": {"e": None}}

    assert merged(values, patch) == {"a": {"b": 1, "c": 2}, "d": {}}
    assert (values, patch) == ({"a": {"b": 1}}, {"a": {"c": 2}, "d": {"e": None}})


def test_removing_an_unknown_question_is_accepted() -> None:
    assert WEBSHOP.changed(NOTHING, {"nonsense": None}) == NOTHING


def lines(longest: int) -> st.SearchStrategy[str]:
    shown = st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp", "Cs"])
    return st.text(shown, min_size=1, max_size=longest)


def addresses() -> st.SearchStrategy[Json]:
    part = lines(20)
    return st.fixed_dictionaries(
        {},
        optional={
            "addressLine1": part,
            "addressLine2": part,
            "zip": part,
            "city": part,
            "state": part,
            "countryCode": st.from_regex("[A-Z]{2}", fullmatch=True),
        },
    )


def answers(decimals: int) -> st.SearchStrategy[Json]:
    """Return a strategy of answers that the ferry's form accepts; the donation has *decimals* decimals."""
    donation = st.integers(0, LARGEST_AMOUNT).map(lambda units: Decimal(units).scaleb(-decimals))
    return st.fixed_dictionaries(
        {},
        optional={
            "donation": donation,
            "weatherGuarantee": st.booleans(),
            "acceptTerms": st.booleans(),
            "billingAddress": addresses(),
            "shippingAddress": addresses(),
            "media": st.dictionaries(st.integers(1, 2**31).map(str), st.integers(1, 9), min_size=1),
        },
    )


@pytest.mark.parametrize(("name", "decimals"), [("Ferry", 0), ("Webshop", 2), ("Souk", 3)])
@given(data=st.data())
def test_an_empty_patch_changes_nothing(name: str, decimals: int, data: st.DataObject) -> None:
    form = FORMS[name]
    conditions = form.changed(NOTHING, data.draw(answers(decimals)))

    assert form.changed(conditions, {}) == conditions


@pytest.mark.parametrize(("name", "decimals"), [("Ferry", 0), ("Webshop", 2), ("Souk", 3)])
@given(data=st.data())
def test_answers_can_be_sent_again_unchanged(name: str, decimals: int, data: st.DataObject) -> None:
    form = FORMS[name]
    conditions = form.changed(NOTHING, data.draw(answers(decimals)))
    text = json.dumps(form.answered(conditions))
    read = json.loads(text, parse_float=Decimal)

    assert form.changed(NOTHING, read) == conditions
    assert json.dumps(form.answered(form.changed(conditions, read))) == text


@given(answers(2), answers(2))
def test_a_change_is_merged_into_the_earlier_answers(first: Json, second: Json) -> None:
    known = WEBSHOP.changed(NOTHING, first)

    assert WEBSHOP.changed(known, second) == WEBSHOP.changed(NOTHING, merged(first, second))


@given(answers(2))
def test_accepted_answers_are_valid_by_the_form_definition(values: Json) -> None:
    definition = WEBSHOP.definition("en")
    WEBSHOP.changed(NOTHING, values)

    errors = Draft202012Validator(definition).iter_errors(values)
    # Required answers may be missing until the checkout is paid.
    assert {error.validator for error in errors} <= {"required"}
