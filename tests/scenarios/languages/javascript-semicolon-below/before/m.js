const a = load()
const b = 2

// All of them.
;[1, 2].forEach(go)
const c = 3;
(function () { go() })()
var d
;`x`.length
