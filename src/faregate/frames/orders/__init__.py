"""Repricing of past orders in memory, in partitions or as a stream."""
