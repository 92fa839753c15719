"""Functions that read and check catalogue, basket and rules files, and return values of the core.

``load_catalogue`` reads a catalogue from a YAML or JSON file, ``demo_catalogue`` the bundled demo resort,
``load_basket`` a basket to be priced, and ``read_rules`` the rules for repricing orders. Errors list all
issues with their positions. The classes of the values define the keys of the files, with the exceptions in
``spelling``.

Reading YAML requires the extra ``catalogue``.
"""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
