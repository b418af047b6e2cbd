const o = {
  a: 7 /* A */,
  n: 1,
  c: 5, // new
  d: 4
};
const leading = {
  a: 1 // aa
  , c: 3
};
const empty = {
  a: 1
};
const spread = { ...o, a: 1 };
