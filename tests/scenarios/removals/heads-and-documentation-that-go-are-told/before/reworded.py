#!/usr/bin/env python2
# Copyright 2020 Some One
"""Counts."""


def count(items):
    """Returns how many there are."""
    return len(items)
