"""Time zones with clock changes, and intervals as texts.

What each zone does is in the tz database. Zurich: 2026-03-29 02:00 to 03:00, 2026-10-25 03:00 to 02:00.
Santiago: 2024-09-08 00:00 to 01:00, 2024-04-07 00:00 to 23:00 of the day before. Cairo: 2024-04-26 00:00
to 01:00. Havana: 2024-11-03 01:00 to 00:00. Toronto: 1919-03-30 23:30 to 00:30. Apia left out 2011-12-30.
"""

from zoneinfo import ZoneInfo

from faregate.dates.instants import Interval

ZURICH = ZoneInfo("Europe/Zurich")
SANTIAGO = ZoneInfo("America/Santiago")
CAIRO = ZoneInfo("Africa/Cairo")
HAVANA = ZoneInfo("America/Havana")
TORONTO = ZoneInfo("America/Toronto")
APIA = ZoneInfo("Pacific/Apia")


def iso(interval: Interval) -> str:
    return f"{interval.start.isoformat()}/{interval.end.isoformat()}"
