"""The presentation of products: content, forms and the pages of shops."""
