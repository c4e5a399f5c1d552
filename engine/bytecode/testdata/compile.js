// Compiles for tests: reads [{solc, settings, files}] as JSON from stdin and
// writes [{contract, solc, settings, runtime, creation, methods, map}].
// argv[2] is the node_modules folder that holds the compilers and libraries.
const fs = require("fs");
const path = require("path");
const root = path.resolve(process.argv[2]);
const outputs = ["evm.bytecode.object", "evm.deployedBytecode", "evm.methodIdentifiers"];

function find(name) {
  try {
    return { contents: fs.readFileSync(path.join(root, name), "utf8") };
  } catch (e) {
    return { error: String(e) };
  }
}

const results = [];
for (const job of JSON.parse(fs.readFileSync(0, "utf8"))) {
  const compiler = require(path.join(root, job.solc));
  const sources = {};
  for (const file of job.files) {
    const held = path.resolve(file);
    sources[file] = { content: fs.readFileSync(fs.existsSync(held) ? held : path.join(root, file), "utf8") };
  }
  const settings = Object.assign({ outputSelection: { "*": { "*": outputs } } }, job.settings);
  const input = JSON.stringify({ language: "Solidity", sources, settings });
  // 0.4 takes standard JSON by another name; 0.4 and 0.5 take the import
  // callback itself, later ones a record of callbacks.
  const run = compiler.compileStandardWrapper || compiler.compile;
  const old = /-0\.[45]\./.test(job.solc);
  const out = JSON.parse(run(input, old ? find : { import: find }));
  const errors = (out.errors || []).filter((e) => e.severity === "error");
  if (errors.length) throw new Error(job.solc + ": " + errors[0].formattedMessage);
  for (const [file, contracts] of Object.entries(out.contracts)) {
    for (const [name, c] of Object.entries(contracts)) {
      results.push({
        contract: path.basename(file) + ":" + name, solc: job.solc, settings: job.settings,
        runtime: c.evm.deployedBytecode.object, creation: c.evm.bytecode.object,
        methods: c.evm.methodIdentifiers, map: c.evm.deployedBytecode.sourceMap,
        immutables: c.evm.deployedBytecode.immutableReferences || {},
      });
    }
  }
}
process.stdout.write(JSON.stringify(results), () => process.exit(0));
