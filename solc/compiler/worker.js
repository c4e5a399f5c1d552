// A compiler that stays loaded. Reads one JSON object a line on standard
// input, {"id": 1, "input": "<standard JSON>"}, and answers each with one line
// that starts with the mark below. Ends with its standard input.
'use strict';
const path = require('path');
const fs = require('fs');

const answer = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr); // whatever compilers print
console.log = console.info = console.error;
process.removeAllListeners('warning');
process.on('warning', () => {});

const mark = '{"leveret":1,';

function oneLine(json) {
  return json.includes('\n') ? JSON.stringify(JSON.parse(json)) : json;
}

// load returns a function from standard JSON to standard JSON.
function load(where) {
  if (fs.statSync(where).isDirectory()) {
    const solc = require(path.resolve(where));
    const compile = solc.compileStandardWrapper || solc.compile;
    return (input) => compile(input);
  }
  const soljson = require(path.resolve(where));
  if ('_solidity_compile' in soljson) {
    const compile = soljson.cwrap('solidity_compile', 'string', ['string', 'number', 'number']);
    return (input) => compile(input, 0, 0);
  }
  const compile = soljson.cwrap('compileStandard', 'string', ['string', 'number']);
  return (input) => compile(input, 0);
}

const listeners = process.listeners('uncaughtException').length;
const compile = load(process.argv[1]);
// Old compilers install handlers that turn every exception into an exit.
if (process.listeners('uncaughtException').length > listeners) {
  process.removeAllListeners('uncaughtException');
}
process.removeAllListeners('unhandledRejection');
answer(mark + '"ready":true}\n');

function serve(line) {
  const request = JSON.parse(line);
  let rest;
  try {
    rest = '"output":' + oneLine(compile(request.input));
  } catch (e) {
    rest = '"error":' + JSON.stringify(String((e && e.message) || e).slice(0, 1000));
  }
  answer(mark + '"id":' + request.id + ',"memory":' + process.memoryUsage().rss + ',' + rest + '}\n');
}

let pieces = [];
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  let end;
  while ((end = chunk.indexOf('\n')) >= 0) {
    pieces.push(chunk.slice(0, end));
    chunk = chunk.slice(end + 1);
    const line = pieces.join('');
    pieces = [];
    if (line !== '') serve(line);
  }
  pieces.push(chunk);
});
process.stdin.on('end', () => process.exit(0));
