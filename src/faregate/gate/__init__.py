"""Price requests from gates, and the prices that answer them."""
