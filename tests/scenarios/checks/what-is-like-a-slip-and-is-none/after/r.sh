# why
run a \
  --b
