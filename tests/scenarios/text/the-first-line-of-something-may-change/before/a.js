switch (a) {
  case 1:
    x();
}
