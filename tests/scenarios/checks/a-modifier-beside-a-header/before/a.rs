fn area(side: u32) -> u32 {
    side * side
}

pub trait Shape {
    fn sides(&self);
}
