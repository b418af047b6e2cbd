const o = {
  a: {
    n: {
      m: 1,
    },
    x: 1,
  },
};
