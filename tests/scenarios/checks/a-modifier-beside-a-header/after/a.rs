pub fn area(side: u32) -> u32 {
    side * side
}

trait Shape: Send {
    fn sides(&self) -> u32;
}
