deploy() {
    conf
    echo run
}
