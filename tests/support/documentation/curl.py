"""A replacement for the documented ``curl`` commands in pure Python; unknown options are errors."""

import argparse
import sys
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener


class _StaysHere(HTTPRedirectHandler):
    """A handler that follows no redirects, as curl without ``--location``."""

    def redirect_request(self, *_: object) -> None:
        return None


def main() -> None:
    """Request the given address and print the response, whatever its status."""
    asked = _arguments()
    headers = dict(header.split(": ", 1) for header in asked.header)
    data = asked.data.encode() if asked.data is not None else None
    request = Request(asked.url, data, headers, method=asked.request)
    try:
        answer = build_opener(_StaysHere).open(request, timeout=30)
    except HTTPError as refused:
        answer = refused
    with answer:
        if asked.include:
            sys.stdout.write(f"HTTP/1.1 {answer.status} {answer.reason}\n{answer.headers}")
        sys.stdout.write(answer.read().decode())


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("-s", "--silent", action="store_true")
    parser.add_argument("-S", "--show-error", action="store_true")
    parser.add_argument("-i", "--include", action="store_true")
    parser.add_argument("-X", "--request")
    parser.add_argument("-H", "--header", action="append", default=[])
    parser.add_argument("-d", "--data")
    return parser.parse_args()


if __name__ == "__main__":
    main()
