class Gone {
    int run(int level) {
        switch (level) {
            case 1:
            case 2:
                return start();
            case 3:
                return 3;
        }
        return 0;
    }
}
