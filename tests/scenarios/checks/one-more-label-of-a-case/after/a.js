switch (key) {
  case 1:
  case 2:
  case 9:
    run();
    break;
  default:
    stop();
}
