"""The parts that both databases share: common SQL, the writes of a save, and the reading of rows."""
