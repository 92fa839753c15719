"""Products, calendars and forms as JSON, in four languages."""
