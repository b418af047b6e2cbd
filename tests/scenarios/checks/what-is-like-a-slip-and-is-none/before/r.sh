run a \
  --b
