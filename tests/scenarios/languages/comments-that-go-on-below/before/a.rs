const X: u8 = 1; // long
                 // tail
const Y: u8 = 2;
