'use strict';

var app = exports = module.exports = {};

/**
 * Use it.
 */
app.use = function use(fn) {
  return fn;
};

req.get =
req.header = function header(name) {
  return name;
};

Foo.prototype.bar = function () {
  return 1;
};
exports.limit = 5;

describe('Calculator', () => {
  it('adds. two numbers', () => {
    expect(1).toBe(1);
  });
});
