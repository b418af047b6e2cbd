/*! Copyright 2020 X */
/**
 * @fileoverview Things
 */
const a = 1;
