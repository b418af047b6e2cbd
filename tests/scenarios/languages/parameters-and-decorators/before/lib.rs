#[derive(Debug)]
pub struct Runner;

impl Runner {
    #[inline]
    pub fn run(
        &self,
        mut name: String, // owned
        f: impl Fn(u8) -> u8,
    ) -> bool {
        true
    }
}
