impl Db {
    fn name(&self) -> u8 {
        match self {
            Db::Failed {
                #[cfg(feature = "alloc")]
                ref name: %,
            } => 1,
            _ => 2,
        }
    }

    fn get(&self) -> u8 {
        3
    }
}

fn free() {}
