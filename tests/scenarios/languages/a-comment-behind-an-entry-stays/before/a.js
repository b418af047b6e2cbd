const a = 1,
  b = 2; // two
let c = 3;
