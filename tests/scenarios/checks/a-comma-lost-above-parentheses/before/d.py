d = {
    "a": 1,
    **(extra or {}),
}
