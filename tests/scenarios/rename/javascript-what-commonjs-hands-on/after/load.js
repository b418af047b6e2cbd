function read() {
  return 1;
}

exports.save = function () {
  return read();
};
exports.read = read;
