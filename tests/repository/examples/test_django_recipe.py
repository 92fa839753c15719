"""The recipe for Django sells, verifies and never overspends a budget; it runs in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from support.documentation.pages import ROOT, Page

pytestmark = pytest.mark.slow

SHOP = """
import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["testserver"],
    DATABASES={"default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": ":memory:",
        "OPTIONS": {"transaction_mode": "IMMEDIATE"},
    }},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["shop"],
    ROOT_URLCONF="urls",
    TIME_ZONE="Europe/Zurich",
)
django.setup()
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.test import Client
from shop.models import Budget, Order, Product, Rules

call_command("migrate", run_syncdb=True, verbosity=0)
Product.objects.create(id=4, name="Audio guide", price=500, vat="8.1")
Product.objects.create(id=5, name="Exhibition catalogue", price=3900, vat="2.6")
Budget.objects.create(code="NIGHT", left=7000)
rules = Rules(document={
    "format": "faregate.rules/1",
    "automatic": [{"id": 1, "kind": {"type": "BuyXGetY", "buy": 2, "get": 1}, "scope": {"products": [4]}}],
    "promoCodes": [
        {"type": "PromoCode", "code": "NIGHT", "kind": {"type": "Percentage", "partsPerMillion": 500000}}
    ],
})
rules.full_clean()
rules.save()
client = Client()


def sold(*positions, code="", status=201):
    form = {"form-TOTAL_FORMS": len(positions), "form-INITIAL_FORMS": 0, "code": code}
    for number, (product, quantity) in enumerate(positions):
        form |= {f"form-{number}-product": product, f"form-{number}-quantity": quantity}
    answer = client.post("/orders", form)
    assert answer.status_code == status, answer.content
    return answer.json()


# Two guides of three, and a catalogue: 10.00 + 39.00, of which NIGHT takes half.
first = sold((4, 3), (5, 1), code="NIGHT")
assert (first["totals"]["autoDiscountAmount"], first["totals"]["totalGross"]) == (500, 2450)
assert [sold((5, 3), code="NIGHT")["totals"]["promoCodeDiscount"] for _ in range(2)] == [7000 - 2450, 0]
assert Budget.objects.get().left == 0
assert sold((5, 1), code="DAY")["totals"]["totalGross"] == 3900

url = f"/orders/{first['id']}/verification"
assert client.get(url).json().get("difference") is None
Order.objects.filter(pk=first["id"]).update(totals={**first["totals"], "amountDue": 1})
assert client.get(url).json()["difference"]["loc"] == ["amountDue"]
assert client.get("/orders/99/verification").status_code == 404

assert sold((9, 1), (5, 0), status=422)["positions"][0].keys() == {"product"}
assert sold(status=422)
for wrong in ({"format": "faregate.rules/1", "promoCode": []}, {"format": "faregate.policy/1"}, [1]):
    try:
        Rules(document=wrong).full_clean()
    except ValidationError as error:
        print(*error.messages)
"""
URLS = """
from django.urls import path
from shop import views

urlpatterns = [path("orders", views.order), path("orders/<int:number>/verification", views.verification)]
"""


def test_the_shop_in_django_sells_and_verifies(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    for block in Page(ROOT / "docs/guides/recipes.md").blocks:
        if block.name in {"models.py", "views.py"}:
            (tmp_path / "shop" / block.name).write_text(block.text, encoding="utf-8")
    (tmp_path / "urls.py").write_text(URLS, encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SHOP],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        encoding="utf-8",
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "promoCode: unknown key: did you mean 'promoCodes'?"
    assert done.stdout.splitlines()[1] == "expected a document of the format faregate.rules/1"
    assert len(done.stdout.splitlines()) == 3
