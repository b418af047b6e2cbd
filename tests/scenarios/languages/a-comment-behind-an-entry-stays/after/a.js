const a = 1,
  b = 9; // two
let c = 3;
