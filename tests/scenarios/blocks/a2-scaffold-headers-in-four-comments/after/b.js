// SCAFFOLD: template=script version=1 created= updated=
first(1, 2, 3);
ours();
last(4, 5, 6);
