/* c8 ignore start */
function a() {}
/* c8 ignore stop */
function b() {}

function c() {}
