function a() {
  if (x) {
    y();
  }
}

function b() {
}
