"""Storage of checkouts, holds, responses and records: the contract that every store fulfils."""
