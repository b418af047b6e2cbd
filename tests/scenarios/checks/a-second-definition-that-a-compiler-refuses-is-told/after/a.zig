fn f() u8 {
    return 1;
}

fn f() u8 {
    return 2;
}
