const list = load();
[1, 2].forEach(go);
list.sort();
