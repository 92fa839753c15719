"""The sandbox: a payment gateway that takes no money, and its pages for customers. Decisions §12."""
