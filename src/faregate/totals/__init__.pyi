from faregate.totals.invoice import InvoiceTotals as InvoiceTotals
from faregate.totals.invoice import InvoiceVat as InvoiceVat
from faregate.totals.invoice import en16931_totals as en16931_totals
from faregate.totals.items import item_totals as item_totals
from faregate.totals.pipeline import CheckoutTotals as CheckoutTotals
from faregate.totals.pipeline import LineTotals as LineTotals
from faregate.totals.pipeline import checkout_totals as checkout_totals
from faregate.totals.used_rules import with_used_rules as with_used_rules
