setup() {
  cat >conf <<EOF
a=1
EOF
}
