if (process.env.DEBUG)
  console.log("debug")
start()
