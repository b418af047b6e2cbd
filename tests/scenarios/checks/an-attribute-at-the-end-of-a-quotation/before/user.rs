pub struct User {
    pub name: String,
    #[serde(skip_serializing)]
    pub password: String,
}
