if x; then
    echo bye
    ls
fi
