from faregate.dates.durations import Duration as Duration
from faregate.dates.durations import validity_from as validity_from
from faregate.dates.instants import DateRange as DateRange
from faregate.dates.instants import Interval as Interval
from faregate.dates.instants import start_of_day as start_of_day
from faregate.dates.months import MonthEnd as MonthEnd
from faregate.dates.months import add_months as add_months
from faregate.dates.times_of_day import TimeOfDay as TimeOfDay
