enum Level {
    LOW(1),
    @JsonProperty("higher")
    HIGH(2);

    Level(int of) {}
}
