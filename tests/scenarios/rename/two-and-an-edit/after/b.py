from a import fetch, store

store(fetch("x"))
