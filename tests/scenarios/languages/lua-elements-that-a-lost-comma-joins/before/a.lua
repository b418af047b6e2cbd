return {
  defaults,
  { "user/one" },
}
