const names = ['a b'];
