if x; then
    cd build && make
    cd lib && make
fi
