package a;

import b.C;

class Import {
    int size = 1;
}
