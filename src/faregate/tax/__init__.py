"""Value-added tax (VAT): rates, and conversion between gross and net."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
