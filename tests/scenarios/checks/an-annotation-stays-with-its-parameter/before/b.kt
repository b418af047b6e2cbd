interface A {
    fun get(
        @Query("x")
        a: Int,
    )
}
