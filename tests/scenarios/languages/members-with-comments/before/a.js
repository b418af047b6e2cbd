const o = {
  a: 1 /* A */,
  b: 2, /* x */ // y
  c: 3, // z
  d: 4
};
const leading = {
  a: 1 // aa
  , b: 2 // bb
  , c: 3
};
const empty = {};
const spread = { ...o };
