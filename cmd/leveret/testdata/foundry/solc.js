// Gives the compiler of an npm package the command line of solc:
// node solc.js PACKAGE/soljson.js --version | --standard-json
const fs = require("fs");
const path = require("path");
require("v8").setFlagsFromString("--wasm-tiering-budget=100000000"); // see solc/compiler/worker.js
const file = fs.realpathSync(process.argv[2]);

if (process.argv.includes("--version")) { // without the compiler, which takes half a second to start
  const { version } = JSON.parse(fs.readFileSync(path.join(path.dirname(file), "package.json"), "utf8"));
  console.log("solc, the solidity compiler commandline interface\nVersion: " + version);
} else {
  const soljson = require(file);
  const compile = soljson.cwrap("solidity_compile", "string", ["string", "number", "number"]);
  process.stdout.write(compile(fs.readFileSync(0, "utf8"), 0, 0));
}
