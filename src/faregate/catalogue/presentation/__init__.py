"""The presentation of products: page content, forms, and redirects to shop pages."""
