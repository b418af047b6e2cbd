# Copyright X

from __future__ import annotations
