const [, second] = pair;
const sparse = [1, , 3];
let plain = [1, 2];
let calls = [f(1), 2];
