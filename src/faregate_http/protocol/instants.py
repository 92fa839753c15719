"""Instants as integers in the store and as text in JSON."""

from datetime import UTC, datetime, timedelta, tzinfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MILLISECOND = timedelta(milliseconds=1)


def now() -> datetime:
    """Return the current time of this machine, in whole milliseconds."""
    instant = datetime.now(UTC)
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def millis(instant: datetime) -> int:
    """Return *instant* in milliseconds since the start of 1970, UTC.

    >>> millis(datetime(2026, 12, 27, tzinfo=UTC))
    1798329600000
    """
    return (instant - _EPOCH) // _MILLISECOND


def from_millis(count: int) -> datetime:
    """Return the instant *count* milliseconds after the start of 1970, UTC."""
    return _EPOCH + timedelta(milliseconds=count)


def micros(instant: datetime) -> int:
    """Return *instant* in microseconds since the start of 1970, UTC."""
    return (instant - _EPOCH) // _MICROSECOND


def from_micros(count: int, zone: tzinfo) -> datetime:
    """Return the instant *count* microseconds after the start of 1970, UTC, as a datetime in *zone*."""
    return (_EPOCH + timedelta(microseconds=count)).astimezone(zone)


def instant_text(instant: datetime) -> str:
    """Return an instant as RFC 3339 text, in UTC, to the millisecond.

    >>> instant_text(datetime(2026, 12, 27, 9, 30, tzinfo=UTC))
    '2026-12-27T09:30:00.000Z'
    """
    return f"{instant.astimezone(UTC).isoformat(timespec='milliseconds').removesuffix('+00:00')}Z"
