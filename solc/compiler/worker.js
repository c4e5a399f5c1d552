// A compiler that stays loaded. Reads one JSON object a line on standard
// input, {"id": 1, "input": "<standard JSON>"}, and answers each with one line
// that starts with the mark below. Ends with its standard input.
'use strict';
const path = require('path');
const fs = require('fs');
const { isAscii } = require('buffer'); // node 18.15
const Module = require('module');
const v8 = require('v8');

// How many bytes a function of WebAssembly executes before V8 optimizes it. With the 1.8
// million of V8 11, optimizing takes a fifth to a third of the processor time of a first
// compilation that takes seconds.
v8.setFlagsFromString('--wasm-tiering-budget=100000000');

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
  let script = '';
  let end = 0;
  for (const { from, to, text } of findLongTexts(source)) {
    script += scriptText(source.subarray(end, from)) + `(leveretLongTexts[${longTexts.length}])`;
    longTexts.push(text);
    end = to;
  }
  script += scriptText(source.subarray(end));
  for (const [slow, fast] of faster) script = script.replace(slow, () => fast);
  module._compile(script, file);
};

function scriptText(bytes) {
  return bytes.toString(isAscii && isAscii(bytes) ? 'latin1' : 'utf8');
}

// What soljson.js does byte by byte, as node does it: 0.8.13 and later decode the text, 0.6.6 and
// later copy the result.
const faster = [
  ['function base64DecToArr(sBase64) {', 'function base64DecToArr(sBase64) { return Buffer.from(sBase64, "base64");'],
  ['return new Uint8Array(wasmBinary)', 'return wasmBinary'],
];

// findLongTexts returns the texts in quotes that have only letters of base64 or of a URL
// with it, in order, and where they are.
function findLongTexts(source) {
  const found = [];
  for (const quote of ['"', "'"]) {
    for (let from = source.indexOf(quote); from >= 0;) {
      const to = source.indexOf(quote, from + 1);
      if (to - from > large / 4) {
        const text = source.toString('latin1', from + 1, to);
        if (!/[^\w+/=:;,-]/.test(text)) found.push({ from, to: to + 1, text });
      }
      from = to;
    }
  }
  return found.sort((a, b) => a.from - b.from);
}

// load returns a function from standard JSON to standard JSON. Of an npm package it needs
// only the compiler itself, not what calls it: that of 0.8.14 lacks a file.
function load(where) {
  const soljson = require(fs.statSync(where).isDirectory() ? path.resolve(where, 'soljson.js') : path.resolve(where));
  const name = '_solidity_compile' in soljson ? 'solidity_compile' : 'compileStandard';
  const compile = soljson.cwrap(name, 'string', ['number', 'number', 'number']);
  return (input) => {
    // A text as an argument is copied to the stack, four bytes for each character: with 1.3 million
    // characters, versions before 0.8.30 write beyond it.
    const size = soljson.lengthBytesUTF8(input) + 1;
    const at = soljson._malloc(size);
    if (!at) throw new Error('out of memory');
    soljson.stringToUTF8(input, at, size);
    const output = compile(at, 0, 0);
    soljson._free(at);
    if ('_solidity_reset' in soljson) soljson._solidity_reset(); // frees the output
    return output;
  };
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
