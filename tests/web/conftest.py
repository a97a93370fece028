"""The fixtures of the web client's tests."""

from tests.web.browser import browser
from tests.web.houses import house

__all__ = ["browser", "house"]
