"""The forms of the channels of the demo resort and of the bazaar, by channel name."""

from pathlib import Path

from faregate.checkout.model import CheckoutConditions
from faregate.files import demo_catalogue, load_catalogue
from faregate_http.offers.forms import CheckoutForm

BAZAAR = Path(__file__).parents[1] / "catalogues" / "bazaar.yaml"

FORMS = {
    channel.name: CheckoutForm(channel)
    for catalogue in (demo_catalogue(), load_catalogue(BAZAAR))
    for channel in catalogue.channels
}

NOTHING = CheckoutConditions()
"""A checkout without answers."""
