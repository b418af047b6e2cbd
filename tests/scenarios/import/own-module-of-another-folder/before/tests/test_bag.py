import os

import pytest
