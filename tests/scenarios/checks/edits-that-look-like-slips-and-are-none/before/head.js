/**
 * @fileoverview Rules.
 */

var a = require("a");
