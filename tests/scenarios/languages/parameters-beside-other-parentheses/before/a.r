f <- function(x, n = 3) {
  x + n
}
