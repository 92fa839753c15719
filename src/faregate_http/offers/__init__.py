"""Products, calendars and forms in their JSON form, in four languages."""
