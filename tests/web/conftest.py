"""What the tests of the web client share."""

from tests.web.browser import browser
from tests.web.houses import house

__all__ = ["browser", "house"]
