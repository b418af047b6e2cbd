function f (load, b) {
  load()
    .then(x => x)

    .catch(b)
}
