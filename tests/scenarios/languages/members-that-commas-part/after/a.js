const settings = {
  name: 'x',
  // seconds
  timeout: 5,
  retry() {
    return 4;
  }
};

module.exports = {
  settings,
  ...others,
  pair,
};
const pair = { a: 1, c: 3, b: 2 };
