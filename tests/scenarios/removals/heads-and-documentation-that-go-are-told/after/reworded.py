#!/usr/bin/env python3
# Copyright 2021 Some One
"""Counts what there is."""


def count(items):
    """Counts."""
    return len(list(items))
