pub struct User {
    pub name: Arc<str>,
    #[serde(skip)]
    pub password: String,
    pub age: u8,
}
