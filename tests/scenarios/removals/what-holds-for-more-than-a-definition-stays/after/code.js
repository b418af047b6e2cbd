function a() {}

/* eslint-disable no-console */

function c() {
  console.log(2);
}
/* eslint-enable no-console */
