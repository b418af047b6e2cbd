q(".card > #menu", "menu")
