"""Where checkouts, what they hold, given answers and records are kept: the contract of every store."""
