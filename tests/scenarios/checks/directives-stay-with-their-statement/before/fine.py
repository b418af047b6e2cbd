x = load()  # noqa: F841
