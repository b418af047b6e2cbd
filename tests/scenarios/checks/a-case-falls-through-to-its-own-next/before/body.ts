function run(level: number): void {
  switch (level) {
    case 1:
      warn();
      // falls through
    case 2:
      start();
      break;
    default:
      stop();
  }
}
