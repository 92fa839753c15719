from faregate_http.app import create_app as create_app
from faregate_http.catalogues import CatalogueLoader as CatalogueLoader
from faregate_http.options import Options as Options
from faregate_http.providers import Providers as Providers
from faregate_http.store.memory import MemoryStore as MemoryStore
