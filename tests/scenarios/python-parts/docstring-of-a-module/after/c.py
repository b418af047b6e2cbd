# Copyright X
"""New."""

from __future__ import annotations
