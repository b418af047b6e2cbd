enum Mode {
    #[default]
    One,
    Two,
}

pub fn start() {}
