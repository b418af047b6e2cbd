function first(rows) {
  outer: for (const row of rows) {
    for (const cell of row) {
      if (cell) {
        break outer
      }
    }
  }
  return rows
}
