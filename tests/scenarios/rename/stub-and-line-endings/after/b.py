from a import fetch
fetch("x")
