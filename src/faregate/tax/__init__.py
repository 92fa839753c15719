"""Value-added tax (VAT): rates, and conversion between gross and net."""
