"""New
thing.
"""

import os
