"""What is said of pages that customers are not sent to, and of methods that cannot be kept."""

from importlib.resources import files
from pathlib import Path

from serving.hostile_details import HOSTILE_PAGES, with_urls
from serving.paying import Customer, body_of, paying


def test_each_page_is_refused_for_where_it_leads(tmp_path: Path) -> None:
    with paying(tmp_path) as client:
        customer = Customer.new(client)
        problems = [customer.post(with_urls(error=url)).json() for url in HOSTILE_PAGES.values()]

    codes = [[error["code"] for error in problem["errors"]] for problem in problems]
    assert codes == [["redirect-not-allowed"]] * len(HOSTILE_PAGES)


def test_a_method_that_supports_no_alias_cannot_be_registered(tmp_path: Path) -> None:
    resort = files("faregate_catalogue").joinpath("demo_resort.yaml").read_text("utf-8")
    catalogue = tmp_path / "resort.yaml"
    catalogue.write_text(resort.replace("{type: TWI, supportsAlias: true}", "{type: TWI}"), "utf-8")

    with paying(tmp_path, catalogue=catalogue) as client:
        refused = Customer.new(client).post(body_of(paymentMethods=["TWI", "VIS"]))

    [fault] = refused.json()["errors"]
    assert refused.status_code == 422
    assert fault == {
        "reason": "expected one of VIS, ECA, PFC",
        "pointer": "/paymentMethods/0",
        "code": "unsupported-method",
    }
