from b import fetch

fetch("y")
