"""Past orders, repriced where they are: in memory, in partitions or as a stream."""
