switch (key) {
  case 1:
  case 2:
    run();
    break;
  case 3:
  default:
    stop();
}
