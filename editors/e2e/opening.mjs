// Measures latencies that a user sees: node opening.mjs SHOTS
// Opens a contract of the size of a vault in a new VS Code, then breaks and
// fixes it repeatedly. Times end when the page shows the result.
// Environment: VSIX, LEVERET_TOOLS.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { open, start } from './code.mjs';
import { run } from './steps.mjs';

const rounds = 5;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'leveret-vault-'));
fs.mkdirSync(path.join(folder, 'src'));
const text = fs.readFileSync(path.join(import.meta.dirname, '../../lsp/server/testdata/latency/Vault.sol'), 'utf8').replace('NUMBER', '1').replace('BOUND', '<');
fs.writeFileSync(path.join(folder, 'src/Vault.sol'), text);
const lines = text.split('\n');
const faulty = lines.findIndex(l => l.includes('assert(')) + 1;
const broken = lines[faulty - 1].trim(), sound = broken.replace('<', '<=');

const seconds = since => (Date.now() - since) / 1000;
const middle = list => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

const steps = {
  async opening(s) {
    const began = Date.now();
    s.code = await start({ folder, vsix: process.env.VSIX, settings: { 'leveret.seed': 1 } });
    const started = seconds(began);
    s.ui = await open(s.code, { file: 'src/Vault.sol', height: 1400 }); // high enough for the whole file
    const shown = seconds(s.ui.opened);
    await s.ui.squiggle(true);
    assert.deepEqual((await s.ui.underlined()).map(l => l.line), [faulty]);
    return {
      'VS Code installs the extension and starts (s)': started,
      'opening VS Code on the contract: its text is seen (s)': shown,
      'opening VS Code on the contract: the first squiggle is seen (s)': seconds(s.ui.opened),
    };
  },

  async saving({ ui }) {
    const gone = [], back = [];
    const save = async (text, there, times) => {
      await ui.replaceLine(faulty, text);
      const saved = Date.now();
      await ui.press('Control+S');
      await ui.squiggle(there);
      times.push(seconds(saved));
    };
    for (let i = 0; i < rounds; i++) {
      await save(sound, false, gone);
      await save(broken, true, back);
    }
    return {
      [`save to squiggle in the page, median of ${rounds} (s)`]: middle(back), [`save to squiggle in the page, worst of ${rounds} (s)`]: Math.max(...back),
      [`save to no squiggle in the page, median of ${rounds} (s)`]: middle(gone), [`save to no squiggle in the page, worst of ${rounds} (s)`]: Math.max(...gone),
    };
  },
};

const state = {};
const ok = await run(steps, state, process.argv[2]);
await state.ui?.close().catch(() => {});
await state.code?.stop();
fs.rmSync(folder, { recursive: true, force: true });
process.exit(ok ? 0 : 1);
