let a = b
function f () {}
[1].map(x)
