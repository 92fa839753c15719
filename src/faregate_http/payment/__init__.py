"""What is paid with: the gateway, the means of payment that accounts keep, and how a payment stands."""
