"""Statements and tables in SQLAlchemy Core, compiled for either database."""
