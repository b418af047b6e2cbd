object Two {
  def run(ready: Boolean) = {
    if (ready)
      start()
    while (ready)
      pause()
    finish()
  }
}
