'use strict';

var app = exports = module.exports = {};

/**
 * Use it.
 */
app.use = function use(fn) {
  return fn();
};

app.get = function get() {};

req.get =
req.header = function header(name) {
  return name.toLowerCase();
};

Foo.prototype.bar = function () {
  return 2;
};
exports.limit = 6;

describe('Calculator', () => {
  it('adds. two numbers', () => {
    expect(2).toBe(2);
  });

  it('subtracts', () => {});
});
