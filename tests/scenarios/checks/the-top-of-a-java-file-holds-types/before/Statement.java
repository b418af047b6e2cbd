package a;

import b.C;

class Statement {
    int size = 1;
}
