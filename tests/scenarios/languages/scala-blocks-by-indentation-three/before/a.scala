object Three {
  def run(ready: Boolean) = {
    if (ready)
      start()
    finish()
  }
  def stop() =
    finish()
    start()
}
