"""A reverse proxy as operators use it: it adds the address of its client to X-Forwarded-For."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit


@contextmanager
def forwarding(server: str) -> Iterator[str]:
    """Yield the address of a proxy to *server*."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            claimed = self.headers.get("x-forwarded-for")
            chain = ", ".join(filter(None, [claimed, self.client_address[0]]))
            headers = {**dict(self.headers.items()), "x-forwarded-for": chain}
            connection = HTTPConnection(urlsplit(server).netloc, timeout=30)
            connection.request("POST", self.path, body, headers)
            with closing(connection), connection.getresponse() as answer:
                self.send_response(answer.status)
                content = answer.read()
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as proxy:
        Thread(target=proxy.serve_forever, args=(0.01,)).start()
        try:
            yield f"http://127.0.0.1:{proxy.server_port}"
        finally:
            proxy.shutdown()
