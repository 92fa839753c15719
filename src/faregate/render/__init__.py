"""Rendering of computed values as ``html``, ``text`` or a ``receipt``.

>>> from faregate import Line, VatRate, checkout_totals
>>> from faregate.render import text
>>> print(text(checkout_totals([Line(1, 7900, 1, VatRate.percent("8.1"))]), width=30))
Line 1  1 x 7900          7900
------------------------------
Total minor units         7900
    VAT 8.1 %  on 7308     592
"""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
