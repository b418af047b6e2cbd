const sum = (a,   b) => {
  log(a);
  return a  +  b;
};
