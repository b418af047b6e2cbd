req.get =
req.header = function header(name) {
  return name;
};
