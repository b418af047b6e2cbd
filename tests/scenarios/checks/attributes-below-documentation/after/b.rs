struct A {
    /// Expire after this.
    #[clap(value_parser = ms)]
    #[serde(skip)]
    expires: Option<Duration>,
    /// Name.
    #[serde(skip)]
    name: String,
}
