const o = {
  a: {
    x: 1,
  },
};
