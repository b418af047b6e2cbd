"""Orders."""

# region imports
import sys
import os
# endregion


class Order:
    # region: private helpers
    def _check(self):
        return True

    def _log(self):
        pass
    # endregion

    def run(self):
        text = """
# region fake
# endregion
"""
        # region open
        return text


# region imports of interest
def ship():
    pass
