const user = load("user")
  .then(parse)
  .catch(report)

start(user)
