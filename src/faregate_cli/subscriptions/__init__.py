"""``faregate renewals``: prints the start, billing dates and earliest end of a subscription."""
