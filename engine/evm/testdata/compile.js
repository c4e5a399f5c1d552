// Compiles one Solidity file with one of the pinned compilers:
//   node compile.js NODE_MODULES COMPILER FILE OPTIMIZE
// FILE is beside this script or, failing that, in NODE_MODULES, as imports
// are. Prints {"Name": {"creation": hex, "selectors": {signature: hex}}}.
const fs = require('fs');
const path = require('path');

const [modules, compiler, file, optimize] = process.argv.slice(2);
const solc = require(path.join(modules, compiler));

const sources = {};
function add(name) {
  if (sources[name]) return;
  const here = path.join(__dirname, name);
  const content = fs.readFileSync(fs.existsSync(here) ? here : path.join(modules, name), 'utf8');
  sources[name] = {content};
  const imports = /^\s*import\s+(?:[^'";]*\sfrom\s+)?["']([^"']+)["']/gm;
  for (let m; (m = imports.exec(content)); ) {
    add(m[1].startsWith('.') ? path.posix.normalize(path.posix.join(path.posix.dirname(name), m[1])) : m[1]);
  }
}
add(file);

const outputSelection = {'*': {'*': ['evm.bytecode.object', 'evm.methodIdentifiers']}};
const input = JSON.stringify({
  language: 'Solidity', sources,
  settings: {optimizer: {enabled: optimize === 'true', runs: 200}, outputSelection},
});
const compile = solc.compileStandardWrapper || solc.compile; // the former until 0.5
const output = JSON.parse(compile(input));
for (const e of output.errors || []) {
  if (e.severity === 'error') throw new Error(e.formattedMessage);
}
const result = {};
for (const unit of Object.values(output.contracts)) {
  for (const [name, c] of Object.entries(unit)) {
    if (c.evm.bytecode.object) result[name] = {creation: c.evm.bytecode.object, selectors: c.evm.methodIdentifiers};
  }
}
process.stdout.write(JSON.stringify(result));
