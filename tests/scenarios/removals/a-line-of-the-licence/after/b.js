/**
 * @fileoverview Things
 */
const a = 2;
