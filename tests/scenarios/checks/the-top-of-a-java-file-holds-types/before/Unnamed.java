int size = 1;

void main() {
    run(size);
}
