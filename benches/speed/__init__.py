"""What `benches/run` is made of: contents, repositories, peers, tasks, and what is printed and drawn of them."""
