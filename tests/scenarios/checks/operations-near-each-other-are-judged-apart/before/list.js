const n = 2;
[1, 2].forEach(go);
