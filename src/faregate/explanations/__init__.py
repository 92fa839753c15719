"""The reasons for every amount."""
