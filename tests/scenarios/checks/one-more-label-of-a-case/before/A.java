class A {
    void m(int key) {
        switch (key) {
            case 1:
            case 2:
                run();
        }
    }
}
