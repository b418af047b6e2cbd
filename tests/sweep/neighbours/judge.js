// Says which statements beside an edit are not what they were, to a reader of JavaScript that is not ours: the one that
// node itself brings along, or the TypeScript compiler whose folder is the second argument.
//
// Standard input: [{name, before, edits: [[[start, end, text], …], …]}, …]. Standard output: for each file null where it
// cannot be read, else for each edit null or what is wrong with it. The first argument is `check` (can anything be read?)
// or `judge`.

const typescript = process.argv[3] ? require(process.argv[3]) : null
const acorn = typescript ? null : require('internal/deps/acorn/acorn/dist/acorn')

const COUNTS = /Statement$|Declaration$|^PropertyDefinition$|^MethodDefinition$|^SwitchCase$|^CatchClause$/
const PASSED_OVER = /^(BlockStatement|EmptyStatement)$/

function readByAcorn (text) {
  for (const sourceType of ['module', 'script']) {
    const tokens = []
    try {
      const options = { ecmaVersion: 'latest', sourceType, onToken: tokens, allowHashBang: true }
      return { root: acorn.parse(text, options), ends: tokens.filter((it) => it.type.label !== ';').map((it) => it.end) }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  return null
}

// Where the last token that is no `;` ends.
function lastEnd (ends, start, end) {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ends[middle] <= end) low = middle + 1
    else high = middle
  }
  return Math.max(low > 0 ? ends[low - 1] : start, start)
}

function statementsOfAcorn (text) {
  const read = readByAcorn(text)
  if (!read) return null
  const found = []
  const visit = (node, chain) => {
    let inner = chain
    if (COUNTS.test(node.type) && !PASSED_OVER.test(node.type)) {
      const it = { type: node.type, start: node.start, end: lastEnd(read.ends, node.start, node.end), chain }
      found.push(it)
      inner = [...chain, it]
    }
    for (const key of Object.keys(node)) {
      const value = node[key]
      for (const child of Array.isArray(value) ? value : [value]) {
        if (child && typeof child.type === 'string') visit(child, inner)
      }
    }
  }
  visit(read.root, [])
  return found
}

function statementsOfTypescript (text, name) {
  const file = typescript.createSourceFile(name, text, typescript.ScriptTarget.Latest, true)
  if (file.parseDiagnostics.length > 0) return null
  const { SyntaxKind } = typescript
  const lastEndOf = (node) => {
    const children = node.getChildren(file).filter((child) => child.end > child.getStart(file))
    while (children.length > 0 && children[children.length - 1].kind === SyntaxKind.SemicolonToken) children.pop()
    return children.length === 0 ? node.end : lastEndOf(children[children.length - 1])
  }
  const counts = (node) =>
    (typescript.isStatement(node) && node.kind !== SyntaxKind.Block && node.kind !== SyntaxKind.EmptyStatement) ||
    typescript.isClassElement(node) || typescript.isTypeElement(node) || typescript.isCaseOrDefaultClause(node)
  const found = []
  const visit = (node, chain) => {
    let inner = chain
    if (counts(node) && node.kind !== SyntaxKind.SemicolonClassElement) {
      const it = { type: SyntaxKind[node.kind], start: node.getStart(file), end: lastEndOf(node), chain }
      found.push(it)
      inner = [...chain, it]
    }
    typescript.forEachChild(node, (child) => visit(child, inner))
  }
  visit(file, [])
  return found
}

const statements = typescript ? statementsOfTypescript : statementsOfAcorn

function applied (text, edit) {
  let [result, from] = ['', 0]
  for (const [start, end, piece] of edit) {
    result += text.slice(from, start) + piece
    from = end
  }
  return result + text.slice(from)
}

// The statements outside of some ranges, each as a line with its place in the new text.
function beside (found, ranges, moved) {
  const outside = (it) => ranges.every(([start, end]) => it.end <= start || end <= it.start)
  const head = ({ type, start, chain }) =>
    `${moved(start, 1)} ${type} in ${chain.map((it) => `${it.type}@${moved(it.start, 1)}`).join(' ')}`
  const place = ({ type, start, end, chain }) =>
    `${moved(start, 1)}-${moved(end, 0)} ${type} in ${chain.map((it) => `${it.type}@${moved(it.start, 1)}`).join(' ')}`
  const touched = new Set(found.filter((it) => !outside(it)).map(head))
  return { all: new Map(found.filter(outside).map((it) => [place(it), head(it)])), touched }
}

function complaint (before, found, edit, name) {
  const after = applied(before, edit)
  const now = statements(after, name)
  if (!now) return 'the result does not parse'
  const moved = (offset, behind) => {
    let shift = 0
    for (const [start, end, piece] of edit) {
      const past = start < offset || (start === offset && end === start && behind)
      if (past) shift += piece.length - (end - start)
    }
    return offset + shift
  }
  let shift = 0
  const given = edit.map(([start, end, piece]) => {
    const range = [start + shift, start + shift + piece.length]
    shift += piece.length - (end - start)
    return range
  })
  const old = beside(found, edit, moved)
  const kept = beside(now, given, (offset) => offset)
  const lost = [...old.all.keys()].find((it) => !kept.all.has(it))
  // One that was touched, and now ends where the edit begins, is no other.
  const come = [...kept.all].find(([it, head]) => !old.all.has(it) && !old.touched.has(head))?.[0]
  return lost ? `lost ${lost}` : come ? `came ${come}` : null
}

if (process.argv[2] === 'check') {
  process.exit(statements('a()\n', 'a.ts').length === 1 ? 0 : 1)
}
const files = JSON.parse(require('fs').readFileSync(0, 'utf8'))
const judged = files.map(({ name, before, edits }) => {
  const found = statements(before, name)
  return found && edits.map((edit) => complaint(before, found, edit, name))
})
process.stdout.write(JSON.stringify(judged))
