data class User(
  val name: String,
  @Transient
  val password: String,
)
