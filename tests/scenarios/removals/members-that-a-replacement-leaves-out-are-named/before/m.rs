#[derive(Serialize)]
pub struct User {
    pub name: String,
    #[serde(skip)]
    pub password: String,
    #[serde(rename = "m")]
    mail: String,
}

pub enum E {
    #[default]
    A,
    /// B.
    B { x: u8 },
    C,
}
