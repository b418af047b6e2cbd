/* @license MIT */

function b() {}
