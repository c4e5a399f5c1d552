// Compiles a source with a pinned solc and writes what the tests read:
//   node compile.js SOLC_PACKAGE_DIR SOURCE OUT.json.gz [via-ir]
// The output is the compiler's standard JSON with the source text added as
// "text"; evm.assembly and the like are never asked for.
"use strict";
const fs = require("fs");
const path = require("path");
const zlib = require("zlib");

const [dir, source, out, viaIR] = process.argv.slice(2);
const solc = require(path.resolve(dir));
const name = path.basename(source);
const text = fs.readFileSync(source, "utf8");
const legacy = solc.version().startsWith("0.4.11");
const input = {
  language: "Solidity",
  sources: { [name]: { content: text } },
  settings: {
    optimizer: { enabled: !!viaIR },
    outputSelection: {
      "*": {
        "": [legacy ? "legacyAST" : "ast"],
        "*": ["storageLayout", "evm.bytecode.object", "evm.bytecode.sourceMap",
          "evm.deployedBytecode.object", "evm.deployedBytecode.sourceMap", "evm.methodIdentifiers"],
      },
    },
  },
};
if (viaIR) input.settings.viaIR = true;
const compile = solc.compileStandardWrapper || solc.compile;
const output = JSON.parse(compile(JSON.stringify(input)));
const errors = (output.errors || []).filter((e) => e.severity === "error");
if (errors.length) {
  console.error(errors.map((e) => e.formattedMessage).join("\n"));
  process.exit(1);
}
delete output.errors;
output.text = text;
fs.writeFileSync(out, zlib.gzipSync(JSON.stringify(output), { level: 9 }));
