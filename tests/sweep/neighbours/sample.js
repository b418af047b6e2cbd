// In the style that leaves semicolons out, and puts one ahead of a line that begins with a bracket.
const list = [1, 2, 3]
const a = list.length
const b = 2

;[1, 2].forEach((x) => list.push(x))
const c = 3 // three
// a note between

;(function () { list.push(4) })()
let late
;`text`.length
var d
;[late] = [d]
const f = () => list
;(f)()
const g = function () {
  const inner = 1
  ;[inner].forEach(f)
  return inner
}

function plain () {
  let x = a
  ;[x] = [b]
  return x
}
[1].map(plain)
const arrow = () => {
  plain()
}

(async () => { arrow() })()
let step = a
const counted = step++
[1].map(plain)
const one = 1; const two = 2; list.push(one, two)
let three = 3; plain()
if (a) plain(); else f()
label: for (const x of list) { if (x) continue label }
class Shape {
  side = a;
  ["computed"] = 1
  area = 2
  static count = 0; static more = 1
  get size () { return this.side }
  *walk () { yield this.side }
  draw () {
    const local = 1
    ;(local || f)()
  }

  static { list.push(5) }
  last = f;
  [c] () {}
}

export const exported = 1
;[exported].forEach(f)
export function shown () { return 1 }
/x/.test(list)
switch (a) {
  case 1: plain(); break
  default: f()
}
const done = plain() || f()
;+done
const e = done
