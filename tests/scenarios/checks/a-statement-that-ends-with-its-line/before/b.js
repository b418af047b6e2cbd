const a = load();
next();
