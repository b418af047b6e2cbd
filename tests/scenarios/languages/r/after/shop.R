#' Says it.
#' @export
print.shop <- function(x, width, ...) {
  cat("one
  two")
}

format.shop <- function(x) {
  x$name
}

limit <- 11
