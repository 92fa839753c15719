"""``faregate validities``: prints a calendar of bookable validity periods."""
