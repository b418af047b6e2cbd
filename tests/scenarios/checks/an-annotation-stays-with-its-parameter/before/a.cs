enum A {
  [EnumMember(Value = "x")]
  A,
  B
}
