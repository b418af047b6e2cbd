use std::fmt;

pub struct W(u8);

impl fmt::Display for W {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.0 + 1;
        write!(f, "<{}>", shown)
    }
}

impl Drop for W {
    fn drop(&mut self) {
        let left = self.0;
        println!("{left} dropped");
    }
}
