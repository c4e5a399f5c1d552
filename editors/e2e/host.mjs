// Tests the extension inside the extension host: node host.mjs
// VS Code loads host/index.cjs from the extension's folder, so that it has the
// same `vscode` as the extension. Uses the last build in ../vscode.
// Environment: LEVERET_TOOLS.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inHost, start } from './code.mjs';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'leveret-host-'));
const folder = path.join(root, 'workspace'), extension = path.join(root, 'extension');
fs.mkdirSync(path.join(folder, 'src'), { recursive: true }); // empty, so that the extension waits for a file
for (const part of ['package.json', 'language-configuration.json', 'media', 'syntaxes', 'dist', 'bin']) {
  fs.cpSync(path.join(import.meta.dirname, '../vscode', part), path.join(extension, part), { recursive: true });
}
for (const part of ['host', 'until.mjs', 'steps.mjs']) {
  fs.cpSync(path.join(import.meta.dirname, part), path.join(extension, 'host', part === 'host' ? '' : part), { recursive: true });
}

const code = await start({
  folder, settings: { 'leveret.budget': '1s', 'leveret.seed': 1, 'leveret.idle': false }, options: ['enable-smoke-test-driver'],
  env: { WALLET: path.join(import.meta.dirname, 'workspace/src/Wallet.sol') },
});
const log = (kind, text) => {
  if (text.startsWith('{"step"')) console.log(text);
  else if (process.env.LOUD) console.error(kind, text);
};
const status = await inHost(code, { extension, module: path.join(extension, 'host/index.cjs'), log });
await code.stop();
fs.rmSync(root, { recursive: true, force: true });
process.exit(status);
