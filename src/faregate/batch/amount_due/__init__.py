"""From the totals of many baskets to what is still owed: donations and vouchers."""
