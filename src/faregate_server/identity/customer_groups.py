"""The customer groups in the claim of a token. Decisions §13."""

import json
import logging

from faregate_http.protocol.json_input import Json

MAX_LENGTH = 4000
"""Maximum length of a claim in JSON, so that an access token with its groups fits in a header."""

_log = logging.getLogger("faregate.http")


def groups_in(claim: Json) -> frozenset[str]:
    """Return the groups in *claim*, a string or a list of strings; an invalid claim has none.

    The claim of a provider may be anything, and must not keep a customer from logging in. Without groups,
    no price is lower.

    >>> sorted(groups_in(["staff", "member"])), sorted(groups_in("staff")), sorted(groups_in(None))
    (['member', 'staff'], ['staff'], [])
    """
    if claim is None:
        return frozenset()
    named = claim if isinstance(claim, list) else [claim]
    groups = [each for each in named if isinstance(each, str) and each and each.isprintable()]
    if len(groups) == len(named) and len(json.dumps(groups)) <= MAX_LENGTH:
        return frozenset(groups)
    _log.warning(
        "the customer groups in a token were ignored: expected at most %d characters of strings", MAX_LENGTH
    )
    return frozenset()
