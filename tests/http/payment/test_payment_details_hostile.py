"""Pages to which customers must not be sent, and methods that cannot be stored."""

from importlib.resources import files
from pathlib import Path

from support.payment.registering import SHOP, Customer, body_of, paying
from support.service.service import Json

HOSTILE_PAGES = {
    "another host": "https://evil.test/",
    "a longer host": "https://shop.example.evil.test/",
    "a host before it": "https://evilshop.example/",
    "user information": "https://shop.example@evil.test/",
    "user information with a port": "https://shop.example:443@evil.test/",
    "a backslash": "https://shop.example\\@evil.test/",
    "an encoded backslash": "https://shop.example/%5c%5cevil.test",
    "a backslash for a slash": "https:\\\\shop.example/",
    "a fragment": f"{SHOP}#done",
    "plain http": "http://shop.example/",
    "another port": "https://shop.example:8443/",
    "upper-case scheme": "HTTPS://shop.example/",
    "upper-case host": "https://Shop.Example/",
    "a Cyrillic letter": "https://sh\u043ep.example/",
    "a full-width dot": "https://shop\uff0eexample/",
    "an ideographic dot": "https://shop\u3002example/",
    "a dot at the end": "https://shop.example./",
    "an invisible character": "https://shop.example\u200d/",
    "reversed text": "https://shop.example/\u202egnp.exe",
    "a script": "javascript:alert(1)//https://shop.example",
    "data": "data:text/html,https://shop.example",
    "no scheme": "//shop.example/",
    "a path": "/checkout",
    "three slashes": "https:///shop.example/",
    "no slashes": "https:shop.example/",
    "a line feed": "https://shop.example/\nset-cookie: a=b",
    "a carriage return": "https://shop.example/\r",
    "a NUL": "https://shop.example/\x00",
    "an encoded line feed": "https://shop.example/%0d%0aset-cookie:a=b",
    "a blank": "https://shop.example/ x",
    "a tab in the scheme": "ht\ttps://shop.example/",
    "dots in the path": "https://shop.example/a/../b",
    "encoded dots in the path": "https://shop.example/%2e%2e/b",
    "markup": "https://shop.example/<script>alert(1)</script>",
    "a quote": 'https://shop.example/"x',
    "the loopback in digits": "http://2130706433/",
    "another loopback": "http://127.0.0.2/",
    "all addresses": "http://0.0.0.0/",
    "an IPv6 loopback that is not allowed": "http://[::1]/",
    "the service of metadata": "http://169.254.169.254/latest",
    "a host like the loopback": "http://localhost.evil.test/",
    "https on the loopback": "https://localhost/",
    "a port beyond all": "http://localhost:65536/",
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
        refused = Customer.new(client).post(body_of(paymentMethods=["TWI", "VIS"]))

    [fault] = refused.json()["errors"]
    assert refused.status_code == 422
    assert fault == {
        "reason": "expected one of VIS, ECA, PFC",
        "pointer": "/paymentMethods/0",
        "code": "unsupported-method",
    }
