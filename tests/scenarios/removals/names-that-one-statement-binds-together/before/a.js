var app = module.exports = make(1);

const load = exports.load = function (x) {
  return x;
};
