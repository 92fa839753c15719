"""What is for sale, as it is shown: products, calendars, forms, in four languages."""
