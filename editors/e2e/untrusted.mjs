// A workspace that chooses programs to run is opened in Restricted Mode and
// trusted later: node untrusted.mjs SHOTS
// Environment: VSIX, LEVERET_TOOLS.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { open, start } from './code.mjs';
import { until } from './until.mjs';
import { run } from './steps.mjs';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'leveret-untrusted-'));
const ran = path.join(folder, 'ran');
fs.cpSync(path.join(import.meta.dirname, 'workspace'), folder, { recursive: true });
fs.mkdirSync(ran);

/** Writes a program into the workspace that creates a file in `ran` when it runs. */
function program(name) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `#!/bin/sh\ntouch '${path.join(ran, path.basename(name))}'\nexit 1\n`, { mode: 0o755 });
  return file;
}

const settings = { 'leveret.path': program('tools/server'), 'leveret.solc.path': program('tools/compiler'), 'leveret.trusted': true };
fs.mkdirSync(path.join(folder, '.vscode'));
fs.writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify(settings));
fs.writeFileSync(path.join(folder, 'leveret.toml'), `[solc]\npath = ${JSON.stringify(program('tools/named'))}\n`);
const solc = path.join(folder, 'node_modules/solc');
fs.mkdirSync(solc, { recursive: true });
fs.writeFileSync(path.join(solc, 'package.json'), JSON.stringify({ name: 'solc', version: '0.8.31', main: 'index.js' }));
for (const name of ['index.js', 'soljson.js', 'wrapper.js']) {
  fs.writeFileSync(path.join(solc, name), `require('fs').writeFileSync(${JSON.stringify(path.join(ran, 'module'))}, '')\n`);
}

const steps = {
  async restricted(s) {
    s.code = await start({ folder, vsix: process.env.VSIX, trust: false, settings: { 'leveret.budget': '1s', 'leveret.seed': 1 } });
    s.ui = await open(s.code, { file: 'src/Wallet.sol' });
    await s.ui.status('Restricted Mode').waitFor();
    await until(async () => (await s.ui.underlined()).length > 0, 'a squiggle'); // proves that the compiler and the server ran
    assert.deepEqual(fs.readdirSync(ran), [], 'programs of the workspace that ran');
  },

  // When trusted, the workspace runs its programs. This proves that the step above checks something.
  async trusted({ ui }) {
    await ui.command('Workspaces: Manage Workspace Trust');
    await ui.page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).first().click();
    await until(() => fs.readdirSync(ran).length > 0, 'a program of the workspace ran');
    return fs.readdirSync(ran).join();
  },
};

const state = {};
const ok = await run(steps, state, process.argv[2]);
await state.ui?.close().catch(() => {});
await state.code?.stop();
fs.rmSync(folder, { recursive: true, force: true });
process.exit(ok ? 0 : 1);
