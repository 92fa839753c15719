"""Storage of checkouts, holds, responses and records: the contract of every store."""
