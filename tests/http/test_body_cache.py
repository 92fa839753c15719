"""Bodies are kept as long as there is room, and only given for the tag they were kept under."""

from faregate_http.body_cache import BodyCache

BODY = b"x" * 100


def test_a_body_is_found_under_its_checkout_language_and_tag() -> None:
    cache = BodyCache()
    cache.put("one", "en", '"1"', BODY)

    assert cache.get("one", "en", '"1"') is BODY
    assert cache.get("one", "en", '"2"') is None
    assert cache.get("one", "de", '"1"') is None
    assert cache.get("two", "en", '"1"') is None


def test_a_newer_body_takes_the_place_of_the_older() -> None:
    cache = BodyCache()
    cache.put("one", "en", '"1"', BODY)
    cache.put("one", "en", '"2"', b"newer")

    assert cache.get("one", "en", '"1"') is None
    assert cache.get("one", "en", '"2"') == b"newer"


def test_languages_do_not_displace_one_another() -> None:
    cache = BodyCache()
    cache.put("one", "en", '"1.en"', b"ticket")
    cache.put("one", "de", '"1.de"', b"Karte")

    assert cache.get("one", "en", '"1.en"') == b"ticket"
    assert cache.get("one", "de", '"1.de"') == b"Karte"


def test_the_oldest_bodies_go_when_there_is_no_more_room() -> None:
    cache = BodyCache(most_bytes=250)
    for name in ("one", "two", "three"):
        cache.put(name, "en", '"1"', BODY)

    assert [cache.get(name, "en", '"1"') for name in ("one", "two", "three")] == [None, BODY, BODY]


def test_a_body_that_is_written_again_counts_once_and_is_young() -> None:
    cache = BodyCache(most_bytes=250)
    cache.put("one", "en", '"1"', BODY)
    cache.put("two", "en", '"1"', BODY)
    for revision in range(10):
        cache.put("one", "en", f'"{revision}"', BODY)

    assert cache.get("two", "en", '"1"') is BODY
    cache.put("three", "en", '"1"', BODY)
    assert cache.get("two", "en", '"1"') is None
    assert cache.get("one", "en", '"9"') is BODY


def test_a_body_larger_than_all_the_room_is_not_kept() -> None:
    cache = BodyCache(most_bytes=50)
    cache.put("one", "en", '"1"', BODY)
    cache.put("two", "en", '"1"', b"small")

    assert cache.get("one", "en", '"1"') is None
    assert cache.get("two", "en", '"1"') == b"small"
