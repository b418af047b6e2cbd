/* @license MIT */

/** Doc. */
function a() {}

function b() {}
