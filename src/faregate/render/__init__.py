"""Rendering of computed values as ``html``, ``text`` or a ``receipt``.

>>> from faregate import Line, VatRate, checkout_totals
>>> from faregate.render import text
>>> print(text(checkout_totals([Line(1, 7900, 1, VatRate.percent("8.1"))]), width=30))
Line 1  1 x 7900          7900
------------------------------
Total minor units         7900
    VAT 8.1 %  on 7308     592
"""

from typing import TYPE_CHECKING

from faregate._lazy import lazy

if TYPE_CHECKING:
    from faregate.render.values import html as html
    from faregate.render.values import receipt as receipt
    from faregate.render.values import text as text

__all__ = ["html", "receipt", "text"]

__getattr__, __dir__ = lazy(__name__, {"values": __all__})
