struct A {
    /// Expire after this.
    #[clap(value_parser = ms)]
    expires: Option<Duration>,
    /// Name.
    #[serde(skip)]
    name: String,
}
