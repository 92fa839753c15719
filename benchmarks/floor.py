"""The floor: the arithmetic of A(n) in plain Python, specialised by hand.

It has no classes, checks or options: two known rates, one automatic discount of 5.00 on the first two lines,
one code of 10 %. It still follows the default rule: largest remainder for the automatic discount, for the
code and, per rate, for the net of the totals and of the discounts.

Of ten versions the fastest two are kept, one for short and one for long baskets: sorting the indexes by
remainder, and sorting one key per line to compare with the lowest key that gets one more. Columns by
comprehension or by slices of the two rates were slower up to 300 lines.
"""

# Counting by hand and zip() without strict= are a few percent faster each.
# ruff: noqa: B905, PLW2901, SIM113

from __future__ import annotations

from typing import TypeAlias

FloorLine: TypeAlias = tuple[int, int, int]  # unit price, quantity, VAT per mille: 81 or 26
Figures: TypeAlias = tuple[int, int, int, int, int, int, int, int]
FloorTotals: TypeAlias = tuple[list[Figures], Figures]

_LONG = 25
_NEVER = 1 << 62


def floor(lines: list[FloorLine]) -> FloorTotals:
    """Return the figures of ``workload.Figures`` per line and in total, in their order."""
    return _long(lines) if len(lines) >= _LONG else _short(lines)


def _short(lines: list[FloorLine]) -> FloorTotals:  # noqa: C901, PLR0912, PLR0915
    n = len(lines)
    prices = [unit * quantity for unit, quantity, _ in lines]
    list_gross = sum(prices)
    left = prices.copy()
    autos = [0] * n
    first = prices[0]
    if n == 1:
        auto = autos[0] = min(500, first)
        left[0] = first - auto
    else:
        both = first + prices[1]
        auto = 500
        share = autos[0] = (2 * 500 * first + both) // (2 * both)
        left[0] = first - share
        autos[1] = 500 - share
        left[1] -= 500 - share
    rest = list_gross - auto
    promo = (rest + 5) // 10

    shares = []
    keys = []  # remainder * n - index: unique, and larger for lines that get one more first
    up = promo
    i = 0
    for price in left:
        scaled = promo * price
        share = scaled // rest
        up -= share
        shares.append(share)
        keys.append((scaled - share * rest) * n - i)
        i += 1
    if up:
        keys.sort()
        for key in keys[-up:]:
            shares[-key % n] += 1

    half = []
    keys_a, discount_keys_a, keys_b, discount_keys_b = [], [], [], []
    gross_a = net_a = discount_a = discount_net_a = 0
    gross_b = net_b = discount_b = discount_net_b = 0
    i = 0
    for price, share, automatic, (_, _, rate) in zip(left, shares, autos, lines):
        gross = price - share
        discount = automatic + share
        if rate == 81:
            gross_a += gross
            scaled = gross * 1000
            net = scaled // 1081
            net_a += net
            key = (scaled - net * 1081) * n - i
            keys_a.append(key)
            discount_a += discount
            scaled = discount * 1000
            discount_net = scaled // 1081
            discount_net_a += discount_net
            discount_key = (scaled - discount_net * 1081) * n - i
            discount_keys_a.append(discount_key)
        else:
            gross_b += gross
            scaled = gross * 1000
            net = scaled // 1026
            net_b += net
            key = (scaled - net * 1026) * n - i
            keys_b.append(key)
            discount_b += discount
            scaled = discount * 1000
            discount_net = scaled // 1026
            discount_net_b += discount_net
            discount_key = (scaled - discount_net * 1026) * n - i
            discount_keys_b.append(discount_key)
        half.append((rate, automatic, share, discount, gross, net, key, discount_net, discount_key))
        i += 1

    least_a = least_b = discount_least_a = discount_least_b = _NEVER
    up = gross_a - (gross_a * 162 + 1081) // 2162 - net_a
    if up:
        net_a += up
        keys_a.sort()
        least_a = keys_a[-up]
    up = gross_b - (gross_b * 52 + 1026) // 2052 - net_b
    if up:
        net_b += up
        keys_b.sort()
        least_b = keys_b[-up]
    up = discount_a - (discount_a * 162 + 1081) // 2162 - discount_net_a
    if up:
        discount_net_a += up
        discount_keys_a.sort()
        discount_least_a = discount_keys_a[-up]
    up = discount_b - (discount_b * 52 + 1026) // 2052 - discount_net_b
    if up:
        discount_net_b += up
        discount_keys_b.sort()
        discount_least_b = discount_keys_b[-up]

    rows = []
    for price, (rate, automatic, share, discount, gross, net, key, discount_net, discount_key) in zip(
        prices, half
    ):
        if rate == 81:
            if key >= least_a:
                net += 1
            if discount_key >= discount_least_a:
                discount_net += 1
        else:
            if key >= least_b:
                net += 1
            if discount_key >= discount_least_b:
                discount_net += 1
        rows.append((price, net + discount_net, automatic, share, discount, discount_net, gross, net))
    net = net_a + net_b
    discount_net = discount_net_a + discount_net_b
    gross = gross_a + gross_b + 200
    return rows, (
        list_gross,
        net + discount_net,
        auto,
        promo,
        auto + promo,
        discount_net,
        gross,
        net + 200,
    )


def _long(lines: list[FloorLine]) -> FloorTotals:  # noqa: C901, PLR0912, PLR0915
    n = len(lines)
    prices = [unit * quantity for unit, quantity, _ in lines]
    list_gross = sum(prices)
    left = prices.copy()
    first = prices[0]
    both = first + prices[1]
    first_auto = (2 * 500 * first + both) // (2 * both)
    autos = [0] * n
    autos[0] = first_auto
    autos[1] = 500 - first_auto
    left[0] -= first_auto
    left[1] -= 500 - first_auto
    rest = list_gross - 500
    promo = (rest + 5) // 10

    scaled = [promo * price for price in left]
    shares = [value // rest for value in scaled]
    up = promo - sum(shares)
    if up:
        remainders = [value % rest for value in scaled]
        for i in sorted(range(n), key=remainders.__getitem__, reverse=True)[:up]:
            shares[i] += 1

    discounts = shares.copy()
    discounts[0] += first_auto
    discounts[1] += 500 - first_auto
    lines_a, lines_b = [], []
    nets, remainders, discount_nets, discount_remainders = [], [], [], []
    gross_a = net_a = discount_a = discount_net_a = 0
    gross_b = net_b = discount_b = discount_net_b = 0
    i = 0
    for price, discount, (_, _, rate) in zip(prices, discounts, lines):
        value = price - discount
        if rate == 81:
            gross_a += value
            value *= 1000
            remainders.append(value % 1081)
            value //= 1081
            nets.append(value)
            net_a += value
            discount_a += discount
            value = discount * 1000
            discount_remainders.append(value % 1081)
            value //= 1081
            discount_nets.append(value)
            discount_net_a += value
            lines_a.append(i)
        else:
            gross_b += value
            value *= 1000
            remainders.append(value % 1026)
            value //= 1026
            nets.append(value)
            net_b += value
            discount_b += discount
            value = discount * 1000
            discount_remainders.append(value % 1026)
            value //= 1026
            discount_nets.append(value)
            discount_net_b += value
            lines_b.append(i)
        i += 1

    up = gross_a - (gross_a * 162 + 1081) // 2162 - net_a
    if up:
        net_a += up
        for i in sorted(lines_a, key=remainders.__getitem__, reverse=True)[:up]:
            nets[i] += 1
    up = gross_b - (gross_b * 52 + 1026) // 2052 - net_b
    if up:
        net_b += up
        for i in sorted(lines_b, key=remainders.__getitem__, reverse=True)[:up]:
            nets[i] += 1
    up = discount_a - (discount_a * 162 + 1081) // 2162 - discount_net_a
    if up:
        discount_net_a += up
        for i in sorted(lines_a, key=discount_remainders.__getitem__, reverse=True)[:up]:
            discount_nets[i] += 1
    up = discount_b - (discount_b * 52 + 1026) // 2052 - discount_net_b
    if up:
        discount_net_b += up
        for i in sorted(lines_b, key=discount_remainders.__getitem__, reverse=True)[:up]:
            discount_nets[i] += 1

    rows = [
        (price, net + discount_net, automatic, share, discount, discount_net, price - discount, net)
        for price, net, discount_net, automatic, share, discount in zip(
            prices, nets, discount_nets, autos, shares, discounts
        )
    ]
    net = net_a + net_b
    discount_net = discount_net_a + discount_net_b
    gross = gross_a + gross_b + 200
    return rows, (
        list_gross,
        net + discount_net,
        500,
        promo,
        500 + promo,
        discount_net,
        gross,
        net + 200,
    )
