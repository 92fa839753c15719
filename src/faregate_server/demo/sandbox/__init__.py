"""A payment gateway that takes no money, and the page on which its customers register. Decisions §12."""
