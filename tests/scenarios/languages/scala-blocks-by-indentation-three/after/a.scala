object Three {
  def run(ready: Boolean) = {
    if (ready)
      start()
      log()
    finish()
  }
  def stop() =
    finish()
    start()
}
