// Bundles the extension into one file, and puts the grammar of Solidity beside it.
import fs from 'node:fs';
import { build } from 'esbuild';

await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  mainFields: ['module', 'main'],
  sourcemap: process.argv.includes('--debug'),
  minify: !process.argv.includes('--debug'),
  legalComments: 'eof',
  logLevel: 'warning',
});

fs.copyFileSync('node_modules/tm-grammars/grammars/solidity.json', 'dist/solidity.tmLanguage.json');
