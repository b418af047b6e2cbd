const s = [
  "b" // last
];
