/**
 * Dump the request.
 */

function dump (req) {
  return req
}
