"""The deployable service: databases, authentication, metrics and the ASGI application.

>>> from faregate_server import Settings, create_app
>>> app = create_app(Settings(database="sqlite:///tickets.db", is_development=True))
"""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__, extra="faregate[http]")
