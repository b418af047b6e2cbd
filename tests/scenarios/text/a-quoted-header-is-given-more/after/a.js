function f(user) {
  if (user.guest) {
    greet();
  } else if (user.admin) {
    grant();
  }
}
