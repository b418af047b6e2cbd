// SPDX-License-Identifier: MIT
use std::fmt;
use std::io;
