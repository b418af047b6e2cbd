pub struct User {
    pub name: String,
    #[serde(skip)] pub password: String,
}
