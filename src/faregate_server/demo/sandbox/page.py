"""The HTML of the sandbox pages, without scripts or images."""

from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from urllib.parse import urlsplit

from faregate.money.amounts import format_minor_units
from faregate.money.currency import currency
from faregate.translations import LANGUAGES
from faregate_http.payment.detail_rows import request_of, return_url
from faregate_http.payment.gateway import BRANDS
from faregate_http.protocol.instants import from_millis
from faregate_http.store.records import PaymentDetailRow, PaymentRow
from faregate_server.demo.sandbox.gateway import SandboxInstrument, page_path
from faregate_server.demo.sandbox.texts import TEXTS, PageTexts

_STYLE = files("faregate_server.demo.sandbox").joinpath("page.css").read_text("utf-8")
_STYLE_HASH = b64encode(sha256(_STYLE.encode()).digest()).decode()


def page_headers(language: str, row: PaymentDetailRow | None = None) -> dict[str, str]:
    """Return the headers of a sandbox page; they forbid external resources, framing, caching and referrers.

    Browsers also apply ``form-action`` to the redirect after a form is sent, so it lists the sites to which
    the registration *row* may send the customer back.
    """
    targets = sorted({_source(url) for url in _return_urls(row)}) if row else []
    policy = (
        "default-src 'none'",
        f"style-src 'sha256-{_STYLE_HASH}'",
        "img-src data:",
        " ".join(("form-action 'self'", *targets)),
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
    return {
        "content-type": "text/html; charset=utf-8",
        "content-language": language,
        "content-security-policy": "; ".join(policy),
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cache-control": "no-store",
    }


def _return_urls(row: PaymentDetailRow) -> Iterable[str]:
    asked = request_of(row)
    return asked.success_url, asked.error_url, asked.cancel_url


def _source(url: str) -> str:
    parts = urlsplit(url)
    # A content security policy cannot express an IPv6 address.
    return f"{parts.scheme}:" if "[" in parts.netloc else f"{parts.scheme}://{parts.netloc}"


def form_page(row: PaymentDetailRow, language: str) -> str:
    """Return the page with the form for *row*, a PENDING registration."""
    texts, asked = TEXTS[language], request_of(row)
    methods = {method: BRANDS[method] for method in asked.methods}
    instruments = {kind.value: texts.instruments[kind.value] for kind in SandboxInstrument}
    return _page(
        language,
        texts.title,
        f'<p class="notice">{escape(texts.notice)}</p>'
        f"{_facts(row, texts)}"
        f'<form method="post" action="{_path(row, language)}" autocomplete="off">'
        f'<input type="hidden" name="token" value="{escape(asked.form_token)}">'
        f"{_choice('method', texts.method, methods)}"
        f"{_choice('instrument', texts.instrument, instruments)}"
        '<div class="actions">'
        f'<button class="first" name="action" value="succeed">{escape(texts.succeed)}</button>'
        f'<button name="action" value="decline">{escape(texts.decline)}</button>'
        f'<button name="action" value="cancel">{escape(texts.cancel)}</button>'
        "</div></form>",
        row=row,
    )


def ending_page(row: PaymentDetailRow, language: str) -> str:
    """Return the page for *row*, a registration that has ended: its result and a link back to the shop."""
    texts, asked = TEXTS[language], request_of(row)
    ending = asked.refusal.value if row.status == "DECLINED" and asked.refusal else row.status
    back = escape(return_url(row))
    return _page(
        language,
        texts.endings[ending],
        f'{_facts(row, texts)}<p class="actions"><a class="back" href="{back}">{escape(texts.back)}</a></p>',
        row=row,
    )


def confirmation_page(payment: PaymentRow, path: str, language: str) -> str:
    """Return the page on which a customer confirms or refuses *payment*; its form is sent to *path*."""
    texts, unit = TEXTS[language], currency(payment.currency)
    amount = escape(f"{format_minor_units(payment.amount, unit)} {unit.code}")
    facts = f"<dl><dt>{escape(texts.amount)}</dt><dd>{amount}</dd></dl>"
    return _page(
        language,
        texts.confirmation,
        f'<p class="notice">{escape(texts.notice)}</p>{facts}'
        f'<form method="post" action="{escape(path)}"><div class="actions">'
        f'<button class="first" name="action" value="confirm">{escape(texts.confirm)}</button>'
        f'<button name="action" value="refuse">{escape(texts.refuse)}</button>'
        "</div></form>",
    )


def message_page(message: str, language: str) -> str:
    """Return a page that shows only a message."""
    return _page(language, message, "")


def _facts(row: PaymentDetailRow, texts: PageTexts) -> str:
    facts = {texts.reference: f"PD-{row.id}"}
    if row.status == "PENDING" and row.due_at is not None:
        facts[texts.becomes_default] = texts.yes if row.is_default else texts.no
        facts[texts.open_until] = f"{from_millis(row.due_at):%Y-%m-%d %H:%M} UTC"
    elif row.code:
        facts[row.brand] = row.code
    entries = (f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    return f"<dl>{''.join(entries)}</dl>"


def _choice(name: str, legend: str, options: Mapping[str, str]) -> str:
    """Return radio buttons for *options*, which maps values to labels; the first one is selected."""
    marks = [" checked", *[""] * (len(options) - 1)]
    labels = (
        f'<label><input type="radio" name="{name}" value="{escape(value)}"{mark}>{escape(label)}</label>'
        for (value, label), mark in zip(options.items(), marks, strict=True)
    )
    return f"<fieldset><legend>{escape(legend)}</legend>{''.join(labels)}</fieldset>"


def _path(row: PaymentDetailRow, language: str) -> str:
    return f"{escape(page_path(row.transaction_id, request_of(row).form_token))}?language={language}"


def _languages(row: PaymentDetailRow, language: str) -> str:
    """Return a menu with links to the page in the other languages, each labelled in its own language."""
    links = {
        other: f'<a href="{_path(row, other)}" hreflang="{other}" lang="{other}">{TEXTS[other].language}</a>'
        for other in LANGUAGES
    }
    links[language] = f'<strong aria-current="true">{TEXTS[language].language}</strong>'
    entries = (f"<li>{link}</li>" for link in links.values())
    return f'<nav aria-label="{escape(TEXTS[language].languages)}"><ul>{"".join(entries)}</ul></nav>'


def _page(language: str, title: str, content: str, *, row: PaymentDetailRow | None = None) -> str:
    return (
        f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="robots" content="noindex">'
        '<link rel="icon" href="data:,">'
        f"<style>{_STYLE}</style></head><body>"
        f"{_languages(row, language) if row else ''}"
        f"<main><h1>{escape(title)}</h1>{content}</main></body></html>"
    )
