// A compiler that stays loaded. Reads one JSON object a line on standard
// input, {"id": 1, "input": "<standard JSON>"}, and answers each with one line
// that starts with the mark below. Ends with its standard input.
'use strict';
const path = require('path');
const fs = require('fs');
const { isAscii } = require('buffer'); // node 18.15
const Module = require('module');

const answer = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr); // whatever compilers print
console.log = console.info = console.error;
process.removeAllListeners('warning');
process.on('warning', () => {});

const mark = '{"leveret":1,';

function oneLine(json) {
  return json.includes('\n') ? JSON.stringify(JSON.parse(json)) : json;
}

// Most of soljson.js is WebAssembly as a text of up to 25 MB, which the parser of JavaScript
// takes up to 1.2 s for. So such texts are taken out of the source before it is parsed.
const large = 1 << 20;
const longTexts = globalThis.leveretLongTexts = [];
const loadScript = Module._extensions['.js'];
Module._extensions['.js'] = (module, file) => {
  if (fs.statSync(file).size < large) return loadScript(module, file);
  const source = fs.readFileSync(file);
  const encoding = isAscii && isAscii(source) ? 'latin1' : 'utf8';
  let script = '';
  let end = 0;
  for (const [from, to] of findLongTexts(source)) {
    script += source.toString(encoding, end, from) + `(leveretLongTexts[${longTexts.length}])`;
    longTexts.push(source.toString('latin1', from + 1, to - 1));
    end = to;
  }
  module._compile(script + source.toString(encoding, end), file);
};

// findLongTexts returns where the texts in quotes are that have only letters of base64 or of
// a URL with it, in order.
function findLongTexts(source) {
  const found = [];
  for (const quote of ['"', "'"]) {
    for (let from = source.indexOf(quote); from >= 0;) {
      const to = source.indexOf(quote, from + 1);
      if (to - from > large / 4 && isBase64(source, from + 1, to)) found.push([from, to + 1]);
      from = to;
    }
  }
  return found.sort((a, b) => a[0] - b[0]);
}

function isBase64(source, from, to) {
  for (let at = from; at < to; at += large) {
    if (!/^[\w+/=:;,-]*$/.test(source.toString('latin1', at, Math.min(to, at + large)))) return false;
  }
  return true;
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
