function load() {
  return 1;
}

exports.save = function () {
  return load();
};
exports.load = load;
