function f (load, b) {
  load()
    .then(x => x)
    // TODO: log
    .catch(b)
}
function total (a, b) {
  return a
    // TODO: tax
    + b
}
