/** @flow strict */
const A = {
  getConstants(): {|
    +a: D,
    b?: boolean,
  |} {
    if (c == null) {
      c = N.get();
    }
    return c;
  },
};
