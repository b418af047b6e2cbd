const A = struct {
    a: u8,
    b: u8,

    const K = 1;
    const L = 2;
};

const B = struct {
    a: u8,

    const K = 1;
};
