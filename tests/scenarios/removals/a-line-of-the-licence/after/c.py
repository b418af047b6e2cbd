# Copyright 2020-2026 Someone
# SPDX-License-Identifier: MIT
x = 2
