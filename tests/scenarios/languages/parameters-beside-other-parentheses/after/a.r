f <- function(x, y, n = 3) {
  x + n
}
