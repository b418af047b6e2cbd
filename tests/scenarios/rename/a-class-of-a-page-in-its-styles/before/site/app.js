q(".card > #nav", "nav")
