usage() {
  cat <<EOF
x
EOF
}

run() {
  usage
}
