function a() {}

/* eslint-disable no-console */
function b() {
  console.log(1);
}

function c() {
  console.log(2);
}
/* eslint-enable no-console */

// eslint-disable-next-line no-eval
function d() {
  eval("1");
}
