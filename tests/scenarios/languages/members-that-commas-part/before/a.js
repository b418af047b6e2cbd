const settings = {
  // seconds
  timeout: 5,
  retry() {
    return 3;
  },
  log: () => {} // nothing
};

module.exports = {
  settings,
  ...others,
};
const pair = { a: 1, b: 2 };
