const rows = [
  ["a", 1],
  ["b", 2],
];
