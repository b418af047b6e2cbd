// SCAFFOLD: template=script version=1 created= updated=
first(1, 2, 3);
mine();
last(4, 5, 6);
