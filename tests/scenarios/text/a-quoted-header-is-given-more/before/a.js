function f(user) {
  if (user.admin) {
    grant();
  }
}
