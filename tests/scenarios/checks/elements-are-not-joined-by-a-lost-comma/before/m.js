const table = [
  ["a", 1],
  ["b", 2]
];
