#!/usr/bin/env python3
# Copyright X
"""New
thing.
"""
import os
