enum Level {
    @Deprecated
    LOW(1),
    @JsonProperty("high")
    HIGH(2);

    Level(int of) {}
}
