req.get =
req.header = function header(name) {
  return name;
};
const leading = {
  a: 1
  , b: 2
};
const spread = { ...other, a: 1 };
