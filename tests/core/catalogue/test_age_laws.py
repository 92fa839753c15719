"""Ages compared with birthdays counted one by one."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from faregate.catalogue.ages import age_on

DAY = timedelta(days=1)
births = st.dates(date(1890, 1, 1), date(2030, 12, 31)) | st.sampled_from(
    [date(year, 2, 29) for year in (1896, 1996, 2000, 2024)]
)
lives = st.integers(0, 30 * 366)


def is_birthday(day: date, born: date) -> bool:
    """Return True if *day* is a birthday; for 29 February, it is the day after the 28th in every year."""
    if (born.month, born.day) == (2, 29):
        eve = day - DAY
        return (eve.month, eve.day) == (2, 28)
    return (day.month, day.day) == (born.month, born.day)


@given(births, lives)
def test_an_age_is_the_number_of_past_birthdays(born: date, lived: int) -> None:
    days = [born + n * DAY for n in range(1, lived + 1)]

    assert age_on(born + lived * DAY, born=born) == sum(is_birthday(day, born) for day in days)


@given(births, st.integers(1, 100 * 366))
def test_an_age_before_birth_is_negative(born: date, days: int) -> None:
    assert age_on(born - days * DAY, born=born) < 0
