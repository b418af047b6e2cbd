const user = load("user")
  .then(parse)
