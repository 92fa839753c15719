"""A catalogue file, part by part, as models that read it and say what is wrong."""
