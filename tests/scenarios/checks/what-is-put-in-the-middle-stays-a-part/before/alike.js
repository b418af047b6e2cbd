const all = [
  {
    path: "/users",
    guard: isAdmin,
  },
];
