const f = (a) => a + 1;
