"""A page that shows the running service to a person: nothing but files, over the documented interface."""
