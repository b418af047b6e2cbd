const a = load()
const b = list
const e = 4

// All of them.
;[1, 2].forEach(go)
const c = Math.max;
(function () { go() })()
;`x`.length
