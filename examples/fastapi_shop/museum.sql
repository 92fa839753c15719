-- The tables of the museum's shop, and what they begin with. Prices are in minor units.

CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price INTEGER, vat TEXT, is_entry INTEGER);
INSERT INTO products VALUES
    (1, 'Adult', 1800, '8.1', 1),
    (2, 'Reduced', 1200, '8.1', 1),
    (3, 'Child', 600, '8.1', 1),
    (4, 'Audio guide', 500, '8.1', 0),
    (5, 'Exhibition catalogue', 3900, '2.6', 0);

-- Three for two on audio guides, 10 % for members (discount card 1), 2 adults and 2 children for 40.00, and one
-- exclusive code.
CREATE TABLE rules (document TEXT);
INSERT INTO rules VALUES ('{
    "format": "faregate.rules/1",
    "automatic": [
        {"id": 1, "kind": {"type": "BuyXGetY", "buy": 2, "get": 1}, "scope": {"products": [4]}},
        {"id": 2, "kind": {"type": "Percentage", "partsPerMillion": 100000, "level": "line"}, "scope": {"discountCards": [1]}},
        {"id": 3, "kind": {"type": "Bundle", "price": 4000, "parts": [
            {"scope": {"products": [1]}, "units": 2}, {"scope": {"products": [3]}, "units": 2}
        ]}}
    ],
    "promoCodes": [
        {"type": "PromoCode", "code": "NIGHT", "kind": {"type": "Percentage", "partsPerMillion": 500000}, "exclusive": true}
    ]
}');

-- The checks refuse what would overdraw a budget or a voucher, or sell more than 60 entries in a slot.
CREATE TABLE budgets (code TEXT PRIMARY KEY, budget INTEGER CHECK (budget >= 0));
INSERT INTO budgets VALUES ('NIGHT', 10000);
CREATE TABLE vouchers (code TEXT PRIMARY KEY, balance INTEGER CHECK (balance >= 0));
INSERT INTO vouchers VALUES ('GIFT-50', 5000);
CREATE TABLE slots (starts_at TEXT PRIMARY KEY, sold INTEGER CHECK (sold <= 60));

CREATE TABLE orders (id INTEGER PRIMARY KEY, totals TEXT);
