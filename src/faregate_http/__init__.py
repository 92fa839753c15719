"""HTTP adapter of faregate: parse a request, call the core, store, render the response.

>>> from faregate.files import demo_catalogue
>>> from faregate_http import MemoryStore, create_app
>>> app = create_app(demo_catalogue(), MemoryStore)
"""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__, extra="faregate[http]")
