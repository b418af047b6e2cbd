function run(level) {
  switch (level) {
    case 1:
      start();
  }
}
