"""``faregate validities``: prints a calendar of bookable validities."""
