"""From a checkout to an order: payment, settlement and tickets."""
