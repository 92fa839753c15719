"""Reading and checking of frame columns: types, values and faulty rows."""
