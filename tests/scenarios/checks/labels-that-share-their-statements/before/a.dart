void f(int y) {
    switch (y) {
    case 1:
    case 2:
        b();
        break;
    }
}
