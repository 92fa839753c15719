"""Pages to which customers must not be sent, and methods that cannot be stored."""

from importlib.resources import files
from pathlib import Path

from support.payment.registering import SHOP, Customer, body_of, paying
from support.service.service import Json

HOSTILE_PAGES = {
    "another host": "https://evil.test/",
    "user information": "https://shop.example@evil.test/",
    "a line feed": "https://shop.example/\nset-cookie: a=b",
    "a transaction of its own": f"{SHOP}?transactionId=1",
    "a transaction of its own, encoded": f"{SHOP}?a=1&transaction%49d=1",
}


def leading_to(url: str) -> Json:
    """Return a registration whose error page is *url*."""
    return body_of(redirectUrls={"success": f"{SHOP}/success", "error": url, "cancel": f"{SHOP}/cancel"})


def test_each_hostile_redirect_url_is_refused_as_not_allowed(tmp_path: Path) -> None:
    with paying(tmp_path) as client:
        customer = Customer.new(client)
        problems = [customer.post(leading_to(url)).json() for url in HOSTILE_PAGES.values()]

    codes = [[error["code"] for error in problem["errors"]] for problem in problems]
    assert all(problem["errors"][0]["pointer"] == "/redirectUrls/error" for problem in problems)
    assert codes == [["redirect-not-allowed"]] * len(HOSTILE_PAGES)


def test_a_method_that_supports_no_alias_cannot_be_registered(tmp_path: Path) -> None:
    resort = files("faregate.files").joinpath("demo_resort.yaml").read_text("utf-8")
    catalogue = tmp_path / "resort.yaml"
    catalogue.write_text(resort.replace("{type: TWI, supportsAlias: true}", "{type: TWI}"), "utf-8")

    with paying(tmp_path, catalogue=catalogue) as client:
        refused = Customer.new(client).post(body_of(paymentMethods=["TWI", "VIS", "VIS"]))

    fault, repeated = refused.json()["errors"]
    assert (repeated["pointer"], repeated["code"]) == ("/paymentMethods/2", "repeated-method")
    assert refused.status_code == 422
    assert fault == {
        "reason": "expected one of VIS, ECA, PFC",
        "pointer": "/paymentMethods/0",
        "code": "unsupported-method",
    }
