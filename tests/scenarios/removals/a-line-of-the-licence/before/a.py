# Copyright 2020 Someone
# SPDX-License-Identifier: MIT
x = 1
