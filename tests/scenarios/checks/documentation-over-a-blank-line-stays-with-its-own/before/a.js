const LIMIT = 1;

/**
 * Dump the request.
 */

function dump (req) {
  return req
}
