let a = 1, b = 2;
let c = 1, d = 2;
