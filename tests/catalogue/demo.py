"""The catalogue of the demo resort, as its file says it and as the core has it."""

from __future__ import annotations

from importlib.resources import files

from faregate_catalogue import demo_catalogue
from faregate_catalogue.yaml_documents import read_yaml

DEMO = demo_catalogue()
DATA, _ = read_yaml((files("faregate_catalogue") / "demo_resort.yaml").read_text("utf-8"), "demo")
