/** @flow strict */
const A = {
  getConstants(): {|
    +a: D,
    b?: boolean,
  |} {
    if (c == null) {
      // once
      c = N.get();
    }
    return c;
  },
};
