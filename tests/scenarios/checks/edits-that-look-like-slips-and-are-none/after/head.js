/**
 * @fileoverview Rules.
 */

"use strict";

var a = require("a");
