deploy() {
    cat >x <<EOF
a=1
EOF
    echo run
}
