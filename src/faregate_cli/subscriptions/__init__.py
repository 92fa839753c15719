"""``faregate renewals``: when a subscription begins, is billed and may end."""
