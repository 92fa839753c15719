"""Audits of a service's database: consistency rules, and a sweep that reports violations of them."""
