"""The tests: a folder for each room of the package, and `tests.helpers` for what they share."""

import pytest

pytest.register_assert_rewrite("tests.helpers")
