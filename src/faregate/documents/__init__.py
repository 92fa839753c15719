"""Documents: JSON in which prices, rules and their inputs can be stored exactly. Decisions §19."""

from faregate.documents.formats import FORMATS as FORMATS
from faregate.documents.formats import decode as decode
from faregate.documents.formats import dump as dump
from faregate.documents.formats import encode as encode
from faregate.documents.formats import load as load
from faregate.documents.formats import schema as schema
from faregate.documents.verification import Verification as Verification
from faregate.documents.verification import verify as verify
