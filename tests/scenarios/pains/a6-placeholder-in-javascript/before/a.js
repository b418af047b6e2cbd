function run(items) {
  const total = 0;
  for (const item of items) {
    total += item;
  }
  return total;
}
