export @Entity({ name: "user" }) @Log class User {
  id = 2
}

export default @Entity() class Order {
  id = 2
}

export @Trace class Cart {
  id = 1
}
