data class User(
    @SerializedName("pw")
    val password: String,
    val name: String,
)
