from faregate_server.app import create_app as create_app
from faregate_server.settings import InvalidSettings as InvalidSettings
from faregate_server.settings import Settings as Settings
