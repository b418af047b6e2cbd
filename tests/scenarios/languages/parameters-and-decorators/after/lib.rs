#[derive(Clone, Debug)]
pub struct Runner;

impl Runner {
    #[inline]
    #[must_use]
    pub fn run(
        &self,
        width: u8,
        mut name: String, // owned
    ) -> bool {
        true
    }
}
