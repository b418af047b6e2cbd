function run(level) {
  switch (level) {
    case 1:
    case 2:
      start();
      break;
    default:
      stop();
  }
}
