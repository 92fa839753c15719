"""The floor: what the arithmetic of A(n) costs in plain Python, specialised to it by hand.

No class, no check, no option: two known rates, one automatic discount of 500 on the first two lines,
one code of 10 %. It still does the work of the default rule: largest remainder for the automatic
discount, the code, and per rate for the net of the totals and of the discounts.
"""

from __future__ import annotations

from typing import TypeAlias

FloorLine: TypeAlias = tuple[int, int, int]  # unit price, quantity, VAT per mille
Row: TypeAlias = tuple[int, int, int, int, int, int, int, int]
FloorTotals: TypeAlias = tuple[list[Row], Row]

_NEVER = 1 << 62


def floor(lines: list[FloorLine]) -> FloorTotals:  # noqa: C901, PLR0912, PLR0915
    """Rows and totals: list gross, list net, automatic, code, discount gross, discount net, gross, net.

    Whoever gets one more is chosen by one key per line, ``remainder * n - index``, which is unique.
    """
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
        second = prices[1]
        both = first + second
        auto = 500
        share = autos[0] = (2 * 500 * first + both) // (2 * both)
        left[0] = first - share
        autos[1] = 500 - share
        left[1] = second - 500 + share
    rest = list_gross - auto
    promo = (rest + 5) // 10

    shares = []
    keys = []
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
    total_keys_a = []
    discount_keys_a = []
    total_keys_b = []
    discount_keys_b = []
    total_a = net_a = discount_a = discount_net_a = 0
    total_b = net_b = discount_b = discount_net_b = 0
    i = 0
    for price, share, automatic, (_, _, rate) in zip(left, shares, autos, lines):  # noqa: B905
        total = price - share
        discount = automatic + share
        if rate == 81:
            total_a += total
            scaled = total * 1000
            net = scaled // 1081
            net_a += net
            key = (scaled - net * 1081) * n - i
            total_keys_a.append(key)
            discount_a += discount
            scaled = discount * 1000
            discount_net = scaled // 1081
            discount_net_a += discount_net
            discount_key = (scaled - discount_net * 1081) * n - i
            discount_keys_a.append(discount_key)
        else:
            total_b += total
            scaled = total * 1000
            net = scaled // 1026
            net_b += net
            key = (scaled - net * 1026) * n - i
            total_keys_b.append(key)
            discount_b += discount
            scaled = discount * 1000
            discount_net = scaled // 1026
            discount_net_b += discount_net
            discount_key = (scaled - discount_net * 1026) * n - i
            discount_keys_b.append(discount_key)
        half.append((rate, automatic, share, discount, total, net, key, discount_net, discount_key))
        i += 1

    least_a = least_b = discount_least_a = discount_least_b = _NEVER
    up = total_a - (total_a * 162 + 1081) // 2162 - net_a
    if up:
        net_a += up
        total_keys_a.sort()
        least_a = total_keys_a[-up]
    up = total_b - (total_b * 52 + 1026) // 2052 - net_b
    if up:
        net_b += up
        total_keys_b.sort()
        least_b = total_keys_b[-up]
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
    for price, (rate, automatic, share, discount, total, net, key, discount_net, discount_key) in zip(  # noqa: B905
        prices, half
    ):
        if rate == 81:
            if key >= least_a:
                net += 1  # noqa: PLW2901
            if discount_key >= discount_least_a:
                discount_net += 1  # noqa: PLW2901
        else:
            if key >= least_b:
                net += 1  # noqa: PLW2901
            if discount_key >= discount_least_b:
                discount_net += 1  # noqa: PLW2901
        rows.append((price, net + discount_net, automatic, share, discount, discount_net, total, net))
    discount_net = discount_net_a + discount_net_b
    net = net_a + net_b
    return rows, (
        list_gross,
        net + discount_net,
        auto,
        promo,
        auto + promo,
        discount_net,
        total_a + total_b + 200,
        net + 200,
    )
