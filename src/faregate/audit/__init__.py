"""Search of a catalogue for prices that invite tricks, and for rules that never apply."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
