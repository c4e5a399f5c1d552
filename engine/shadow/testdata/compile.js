// Compiles for tests: reads [{solc, settings, file}] as JSON from stdin and
// writes [{contract, solc, settings, creation, runtime, map, methods, text}].
// argv[2] is the node_modules folder that holds the compilers.
const fs = require("fs");
const path = require("path");
const root = path.resolve(process.argv[2]);
const outputs = ["evm.bytecode.object", "evm.deployedBytecode", "evm.methodIdentifiers"];

const find = (name) => {
  try {
    return { contents: fs.readFileSync(path.join(root, name), "utf8") };
  } catch (e) {
    return { error: String(e) };
  }
};

const results = [];
for (const job of JSON.parse(fs.readFileSync(0, "utf8"))) {
  const compiler = require(path.join(root, job.solc));
  const old = /-0\.[45]\./.test(job.solc);
  const held = fs.existsSync(job.file) ? job.file : path.join(root, job.file);
  const content = fs.readFileSync(held, "utf8");
  const settings = Object.assign({ outputSelection: { "*": { "*": outputs } } }, job.settings);
  const input = JSON.stringify({ language: "Solidity", sources: { [job.file]: { content } }, settings });
  const run = compiler.compileStandardWrapper || compiler.compile;
  const out = JSON.parse(run(input, old ? find : { import: find }));
  const errors = (out.errors || []).filter((e) => e.severity === "error");
  if (errors.length) throw new Error(job.solc + ": " + errors.map((e) => e.formattedMessage).join("\n"));
  for (const [name, c] of Object.entries(out.contracts[job.file])) {
    if (!c.evm.deployedBytecode.object) continue;
    results.push({
      contract: name, solc: job.solc, settings: job.settings,
      creation: c.evm.bytecode.object, runtime: c.evm.deployedBytecode.object,
      map: c.evm.deployedBytecode.sourceMap, methods: c.evm.methodIdentifiers, text: content,
    });
  }
}
process.stdout.write(JSON.stringify(results), () => process.exit(0));
