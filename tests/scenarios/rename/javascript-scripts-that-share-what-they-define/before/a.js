function load() {}
load();
