"""The catalogue of the demo resort, as its file and as values of the core."""

from importlib.resources import files

from faregate.files import demo_catalogue
from faregate.files.text.yaml_text import read_yaml

DEMO = demo_catalogue()
DATA, _ = read_yaml((files("faregate.files") / "demo_resort.yaml").read_text("utf-8"))
