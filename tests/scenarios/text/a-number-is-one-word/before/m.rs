let step = 1e-5;
let all = 0..10;
