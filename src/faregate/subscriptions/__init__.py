"""The dates and periods of subscriptions."""
