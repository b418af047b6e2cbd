/**
 * Dump.
 */
function dump (req) {
  return req
}

/**
 * Half.
 */
function half (a) {
  return a
}
