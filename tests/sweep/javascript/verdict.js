// Says of programs whether V8, or the TypeScript compiler whose folder is the second argument, takes them.
//
// Standard input: a JSON array of texts. Standard output: a line for each, `ok` or what is wrong. The first argument is the name
// of the file that each text is in.

const vm = require('node:vm')
const typescript = process.argv[3] ? require(process.argv[3]) : null

// A script, the body of a CommonJS module, or a module: whichever it can be.
function ofV8 (text) {
  let wrong
  for (const read of [() => new vm.SourceTextModule(text), () => new vm.Script(text), () => vm.compileFunction(text)]) {
    try {
      read()
      return 'ok'
    } catch (error) {
      wrong ??= error.message
    }
  }
  return wrong
}

// What the checker finds beside the parser, without knowing any name or type: declarations that contradict each other.
const DECLARATIONS = new Set([2300, 2389, 2390, 2391, 2392, 2393, 2451, 2528])

function ofTypescript (text, name) {
  const file = typescript.createSourceFile(name, text, typescript.ScriptTarget.ESNext, true)
  const host = {
    ...typescript.createCompilerHost({}),
    getSourceFile: (asked) => (asked === name ? file : undefined),
    fileExists: (asked) => asked === name,
    readFile: () => undefined,
    writeFile: () => undefined
  }
  const options = { noLib: true, noResolve: true, target: typescript.ScriptTarget.ESNext, module: typescript.ModuleKind.ESNext, allowUnreachableCode: true, allowUnusedLabels: true, experimentalDecorators: false }
  const program = typescript.createProgram([name], options, host)
  const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
  const counts = (it) => it.file && it.category === typescript.DiagnosticCategory.Error && ((it.code >= 1000 && it.code < 2000) || DECLARATIONS.has(it.code))
  const first = found.find(counts)
  return first ? `TS${first.code} ${typescript.flattenDiagnosticMessageText(first.messageText, ' ')}` : 'ok'
}

const texts = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
const lines = texts.map((text) => (typescript ? ofTypescript(text, process.argv[2]) : ofV8(text)))
process.stdout.write(lines.map((line) => line.replace(/\s+/g, ' ') + '\n').join(''))
