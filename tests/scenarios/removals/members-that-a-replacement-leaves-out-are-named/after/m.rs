#[derive(Serialize)]
pub struct User {
    pub name: String,
    pub password: String,
    #[serde(rename = "mail")]
    mail: String,
    pub age: u8,
}

pub enum E {
    A,
    /// B.
    B { x: u8 },
    C,
}
