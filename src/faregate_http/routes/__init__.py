"""Handlers of the operations, one module for each part of the interface."""
