"""Doc."""

import os
x = 1
