#!/usr/bin/env python3
# -*- coding: utf-8 -*-
# Copyright 2020 Some One
# SPDX-License-Identifier: MIT
"""Works.

And more.
"""
from __future__ import annotations, division


class Worker:
    """Takes orders."""

    def run(self):
        """Runs.

        Once.
        """
        return 1

    def stop(self):
        """Stops."""
        return 2
