package a;

import b.C;

class Field {
    int size = 1;
}
