#!/usr/bin/env python3
# Copyright X
"""Doc."""
import os
