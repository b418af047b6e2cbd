# Copyright 2026 The Authors
# SPDX-License-Identifier: MIT

import os
