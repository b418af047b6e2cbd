const S = struct {
    fn m() void {
        p(
            \\foo
            \\bar
        );
    }
};
