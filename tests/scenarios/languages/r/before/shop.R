#' Says it.
#' @export
print.shop <- function(x, ...) {
  cat("one
  two")
}

limit <- 10
