"""Faults of the content of product pages."""

import pytest

from faregate.catalogue.entries import Entries
from faregate.catalogue.presentation.content import Banner, CallToAction, Hotspot, Image, ProductContent
from faregate.translations import Text
from support.shops.refused_catalogues import faults_of, said, with_ticket

MORE = Text("More")


def with_content(content: ProductContent) -> Entries:
    return with_ticket(content=content)


def leading(cta: CallToAction) -> ProductContent:
    return ProductContent(banner=Banner(Text("Book early"), cta=cta))


@pytest.mark.parametrize(
    "content",
    [
        leading(CallToAction(MORE, product="lunch")),
        ProductContent(
            images=(Image("/a.jpg"), Image("/b.jpg", hotspot=Hotspot(x=0, y=0.5, width=1.0, height=1)))
        ),
    ],
    ids=str,
)
def test_content_that_can_be_shown_has_no_issues(content: ProductContent) -> None:
    assert faults_of(with_content(content)) == ()


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (leading(CallToAction(MORE)), "banner.cta: expected one of product, page and link, got none"),
        (
            leading(CallToAction(MORE, product="lunch", link="/lunch")),
            "banner.cta: expected one of product, page and link, got 2",
        ),
        (
            ProductContent(
                images=(Image("/a.jpg"), Image("/b.jpg", hotspot=Hotspot(x=-0.1, y=0, width=0, height=0)))
            ),
            "images[1].hotspot.x: expected 0 to 1, got -0.1",
        ),
        (
            ProductContent(seo_images=(Image("/b.jpg", hotspot=Hotspot(x=0, y=0, width=0, height=1.5)),)),
            "seo_images[0].hotspot.height: expected 0 to 1, got 1.5",
        ),
        (
            ProductContent(
                images=(Image("/b.jpg", hotspot=Hotspot(x=0, y=float("nan"), width=0, height=0)),)
            ),
            "images[0].hotspot.y: expected 0 to 1, got nan",
        ),
    ],
)
def test_content_that_cannot_be_shown_is_reported(content: ProductContent, fault: str) -> None:
    assert said(with_content(content)) == [f"products[0].content.{fault}"]
