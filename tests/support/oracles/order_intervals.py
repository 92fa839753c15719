"""Intervals of a quantile between two order statistics, by their definition.

The number of observations below a quantile is binomial, so that each end misses the quantile with a binomial
probability. These are summed as fractions, one term at a time; for large samples, as floats. No code under
test is used.
"""

from fractions import Fraction
from math import comb, exp, fsum, lgamma, log


def ranks(n: int, share: Fraction, confidence: Fraction) -> tuple[int, int, Fraction] | None:
    """Return the ranks and the coverage as a share, or None if no rank keeps the probability of an end."""
    tail = (1 - confidence) / 2
    terms = [comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]
    lower = [rank for rank in range(1, n + 1) if sum(terms[:rank]) <= tail]
    upper = [rank for rank in range(1, n + 1) if sum(terms[rank:]) <= tail]
    if not lower or not upper:
        return None
    return max(lower), min(upper), sum(terms[max(lower) : min(upper)], Fraction())


def probability(n: int, share: float, first: int, last: int) -> float:
    """Return the probability of *first* to *last* successes, correct to about eight decimals."""
    whole = lgamma(n + 1)
    return fsum(
        exp(whole - lgamma(k + 1) - lgamma(n - k + 1) + k * log(share) + (n - k) * log(1 - share))
        for k in range(first, last + 1)
    )
