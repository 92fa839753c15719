"""``faregate validities``: what can be booked, as a calendar."""
