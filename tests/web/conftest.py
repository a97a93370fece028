"""What the tests of the web client share."""

from tests.web.browser import browser

__all__ = ["browser"]
