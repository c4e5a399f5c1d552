// Gives the compiler of an npm package the command line of solc:
// node solc.js PACKAGE/soljson.js --version | --standard-json
const fs = require("fs");
const soljson = require(fs.realpathSync(process.argv[2]));
const call = (names, result, types) =>
  soljson.cwrap(names.find((n) => soljson["_" + n]), result, types);

if (process.argv.includes("--version")) {
  const version = call(["solidity_version"], "string", [])();
  console.log("solc, the solidity compiler commandline interface\nVersion: " + version);
} else {
  const compile = call(["solidity_compile"], "string", ["string", "number", "number"]);
  process.stdout.write(compile(fs.readFileSync(0, "utf8"), 0, 0));
}
