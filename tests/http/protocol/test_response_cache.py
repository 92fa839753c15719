"""Responses are cached while there is space, and used only in the same state."""

from faregate_http.protocol.response_cache import ResponseCache
from faregate_http.protocol.responses import Response

ANSWER = Response(200, b"x" * 100)
SMALL = Response(200, b"small")


def test_a_response_is_found_by_its_request_and_state() -> None:
    cache = ResponseCache()
    cache.put(("one", "en"), 1, ANSWER)

    assert cache.get(("one", "en"), 1) is ANSWER
    assert cache.get(("one", "en"), 2) is None
    assert cache.get(("one", "de"), 1) is None
    assert cache.get(("two", "en"), 1) is None


def test_a_newer_response_replaces_the_older() -> None:
    cache = ResponseCache()
    cache.put("one", 1, ANSWER)
    cache.put("one", 2, SMALL)

    assert cache.get("one", 1) is None
    assert cache.get("one", 2) is SMALL


def test_the_oldest_responses_are_dropped_when_the_cache_is_full() -> None:
    cache = ResponseCache(most_bytes=250)
    for name in ("one", "two", "three"):
        cache.put(name, 1, ANSWER)

    assert [cache.get(name, 1) for name in ("one", "two", "three")] == [None, ANSWER, ANSWER]


def test_a_replaced_response_counts_once_and_as_new() -> None:
    cache = ResponseCache(most_bytes=250)
    cache.put("one", 1, ANSWER)
    cache.put("two", 1, ANSWER)
    for state in range(10):
        cache.put("one", state, ANSWER)

    assert cache.get("two", 1) is ANSWER
    cache.put("three", 1, ANSWER)
    assert cache.get("two", 1) is None
    assert cache.get("one", 9) is ANSWER


def test_a_response_larger_than_the_cache_is_not_kept() -> None:
    cache = ResponseCache(most_bytes=50)
    cache.put("one", 1, ANSWER)
    cache.put("two", 1, SMALL)

    assert cache.get("one", 1) is None
    assert cache.get("two", 1) is SMALL


def test_long_queries_and_headers_count_towards_the_cache_size() -> None:
    """Only bodies were counted, although queries and the Link header that repeats them can be long too."""
    questions, links = ResponseCache(most_bytes=2_500), ResponseCache(most_bytes=2_500)
    for n in range(3):
        questions.put(("path", "en", f"{n:01000}"), 1, Response(200, b"short"))
        links.put(n, 1, Response(200, b"short", ((b"link", b"x" * 1_000),)))

    assert [questions.get(("path", "en", f"{n:01000}"), 1) is None for n in range(3)] == [True, False, False]
    assert [links.get(n, 1) is None for n in range(3)] == [True, False, False]


def test_the_number_of_cached_responses_is_limited() -> None:
    cache = ResponseCache(most_answers=2)
    for n in range(3):
        cache.put(n, 1, Response(200, b""))

    assert [cache.get(n, 1) is None for n in range(3)] == [True, False, False]
