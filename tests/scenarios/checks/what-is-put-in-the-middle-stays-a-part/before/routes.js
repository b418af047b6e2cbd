const routes = [
  {
    path: "/users",
    guard: isAdmin,
  },
  {
    path: "/about",
  },
];
