let b = 2;
let c = 1;
