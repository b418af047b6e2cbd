fn f() {
    // SAFETY: the pointer is not null,
    // and nobody else has it.
    unsafe { g() };
}
