// one
function a() {
  return 2;
}
// two
// three
