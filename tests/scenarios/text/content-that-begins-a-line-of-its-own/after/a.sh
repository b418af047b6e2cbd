if x; then
    # go there
    cd build && make
    env cd lib && make
fi
