struct A {
    /// Expire after this.
    #[serde(skip)]
    #[clap(value_parser = ms)]
    expires: Option<Duration>,
    /// Name.
    #[facet(skip)]
    name: String,
}
