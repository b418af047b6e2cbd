export @Entity({ name: "user" }) @Log class User {
  id = 1
}

export default @Entity() class Order {
  id = 1
}

export @Log class Cart {
  id = 1
}
