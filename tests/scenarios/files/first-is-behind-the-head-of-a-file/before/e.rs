// SPDX-License-Identifier: MIT
use std::io;
