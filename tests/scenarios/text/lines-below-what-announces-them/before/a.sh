if x; then
    echo hello
fi
