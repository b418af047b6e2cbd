// one
function a() {
  return 1;
}
// two
// three
