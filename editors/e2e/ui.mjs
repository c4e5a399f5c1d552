// Tests the extension through the UI of VS Code: node ui.mjs SHOTS
// Environment: VSIX, LEVERET_TOOLS.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { open, start } from './code.mjs';
import { until } from './until.mjs';
import { run } from './steps.mjs';

const workspace = path.join(import.meta.dirname, 'workspace');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'leveret-workspace-'));
fs.cpSync(workspace, folder, { recursive: true });
const file = path.join(folder, 'src/Wallet.sol');
const faulty = fs.readFileSync(file, 'utf8').split('\n').findIndex(l => l.includes('assert(')) + 1;
const finding = '.markers-panel .monaco-list-row';

/** Returns the processes of the server that is bundled with the extension. */
function servers(code) {
  return fs.readdirSync('/proc').filter(pid => /^\d+$/.test(pid)).filter(pid => {
    try {
      return fs.readlinkSync(`/proc/${pid}/exe`).startsWith(code.installed);
    } catch {
      return false;
    }
  }).map(Number);
}

/** Returns the colours of the coverage bars beside the lines. */
function bars(ui) {
  return ui.page.locator('.editor-instance .view-overlays .cdr').evaluateAll(all => all.map(e => getComputedStyle(e)).filter(s => s.borderLeftWidth === '3px').map(s => s.borderLeftColor));
}

async function sees(ui, lines, what) {
  await until(async () => (await ui.underlined()).map(l => l.line).join() === lines.join(), what);
}

const steps = {
  async squiggle(s) {
    s.code = await start({ folder, vsix: process.env.VSIX, settings: { 'leveret.budget': '1s', 'leveret.seed': 1, 'leveret.idle': false } });
    s.ui = await open(s.code, { file: 'src/Wallet.sol' });
    await sees(s.ui, [faulty], 'a squiggle on the line of the assertion');
    assert.equal(servers(s.code).length, 1, 'the bundled server runs once');
    await until(async () => (await s.ui.colours()) > 3, 'colours of the code');
  },

  async problems({ ui }) {
    await ui.problems();
    await ui.page.locator(finding, { hasText: 'assert' }).first().click();
    await ui.press('ArrowRight'); // expand the related places
    const rows = await until(async () => {
      const all = await ui.problems();
      return all.some(r => /2\. .*finish\(\)/.test(r) && r.includes('Ln 17')) && all;
    }, 'the calls below the problem');
    assert.ok(rows.some(r => /1\. .*begin\(31337\)/.test(r) && r.includes('Ln 8')), rows.join('\n'));
  },

  async status({ ui }) {
    await ui.status('Leveret: 1 finding').waitFor();
    await ui.status('Leveret').click();
    for (const choice of ['Fuzz this file', 'Doctor', 'Restart the server']) await ui.row(choice).waitFor();
    await ui.press('Escape');
  },

  async lenses({ ui }) {
    await ui.press('Control+1');
    await ui.page.locator('.codelens-decoration', { hasText: 'fuzz' }).first().waitFor();
    const lenses = await until(async () => {
      const all = await ui.page.locator('.codelens-decoration').allTextContents();
      return all.length >= 4 && all;
    }, 'lenses of the contract and its functions');
    assert.ok(lenses.some(l => l.includes('1 finding')), lenses.join('\n'));
  },

  async fixes({ ui }) {
    await ui.goto(faulty, 12);
    const fixes = await ui.fixes();
    for (const title of ['Debug this finding', 'Replay', 'Add regression test', 'Silence here', 'Explain', 'Copy witness as JSON', 'Fuzz this function longer']) {
      assert.ok(fixes.some(f => f.includes(title)), `${title} among ${fixes}`);
    }
  },

  async replay({ ui }) {
    await ui.fix('Replay');
    await ui.tab('.trace');
    const text = await until(async () => {
      const all = (await ui.lines()).map(l => l.text).join('\n');
      return all.includes('begin(code: 31337)') && all;
    }, 'the calls in the trace');
    assert.ok(text.includes('assert(step == 0)'), text);
    await ui.page.locator('.detected-link').first().waitFor();
    await until(async () => (await ui.colours()) > 3, 'colours of the trace');
  },

  async fold({ ui }) {
    const shown = async () => (await ui.lines()).some(l => l.text.includes('step: 0 → 1'));
    assert.ok(await shown());
    const { line } = (await ui.lines()).find(l => l.text.startsWith('1. user1 calls Wallet.begin(code: 31337)'));
    await ui.goto(line);
    await ui.press('Control+Shift+BracketLeft');
    await until(async () => !(await shown()), 'the calls folded');
    await ui.press('Control+Shift+BracketRight');
    await until(shown, 'the calls again');
  },

  async link({ ui }) {
    await ui.follow('src/Wallet.sol:9', ui.activeTab('Wallet.sol'));
    await ui.status('Ln 9, Col 1').waitFor();
  },

  // From a line of the trace to the debugger, stopped there: where step is about to change.
  async stand({ ui }) {
    await ui.goto(faulty, 12);
    await ui.fix('Replay');
    await ui.tab('.trace');
    await ui.follow('▷', ui.page.locator('.debug-top-stack-frame-line').first(), 'step: 0 → 1'); // the editor takes the focus as it shows the line
    await ui.command('View: Show Run and Debug');
    await ui.frame('begin.*9:\\d+');
    await ui.variable('State', 'step', 0);
    await ui.debugger('stop');
    await ui.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  },

  async witness({ ui }) {
    await ui.openFile('Wallet.sol');
    await ui.goto(faulty, 12);
    await ui.fixes();
    await ui.fix('Copy witness');
    const text = await until(async () => {
      const clip = await ui.page.evaluate(() => navigator.clipboard.readText());
      return clip.includes('31337') && clip;
    }, 'the witness in the clipboard');
    JSON.parse(text);
  },

  async regression({ ui }) {
    await ui.openFile('Wallet.sol');
    await ui.goto(faulty, 12);
    await ui.fixes();
    await ui.fix('Add regression test');
    await ui.tab('.t.sol');
    await ui.press('Control+S');
    const test = path.join(folder, 'test/Wallet.leveret.t.sol');
    await until(() => fs.existsSync(test) && fs.readFileSync(test, 'utf8').includes('31337'), 'the test on disk');
  },

  // From the action to the failing assertion, with the values there.
  async debug({ ui }) {
    await ui.openFile('Wallet.sol');
    await ui.goto(faulty, 12);
    await ui.fix('Debug this finding');
    await ui.page.locator('.exception-widget', { hasText: 'this assertion can fail' }).waitFor();
    await ui.command('View: Show Run and Debug');
    await ui.frame(`finish.*${faulty}:9`);
    await ui.variable('State', 'step', 1);
    await ui.variable('State', 'total', 0);
  },

  // Back to the beginning of the statement, then to the transaction before.
  async back({ ui }) {
    await ui.debugger('step-back');
    await ui.page.locator('.debug-pane', { hasText: 'Paused on step' }).first().waitFor();
    await ui.frame(`finish.*${faulty}:9`);
    await ui.debugger('step-back');
    await ui.frame('begin.*9:28');
    await ui.variable('State', 'step', 0);
  },

  // Forwards to the failure, then backwards to what changed the variable.
  async changed({ ui }) {
    await ui.debugger('continue');
    await ui.page.locator('.exception-widget').waitFor();
    await ui.variable('State', 'step', 1);
    await ui.breakOnChange('step');
    await ui.debugger('reverse-continue');
    await ui.page.locator('.debug-pane', { hasText: 'step is about to change' }).first().waitFor();
    await ui.frame('begin.*9:28');
    await ui.variable('State', 'step', 0);
    await ui.shot(path.join(process.argv[2], 'debug.png'));
    await ui.debugger('stop');
    await ui.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  },

  // Without a launch.json, F5 debugs what the file has.
  async f5({ ui }) {
    await ui.goto(1);
    await ui.press('F5');
    await ui.frame(`finish.*${faulty}:9`);
    await ui.debugger('stop');
    await ui.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  },

  async coverage({ ui }) {
    await ui.openFile('Wallet.sol');
    await ui.goto(1);
    assert.deepEqual(await bars(ui), []);
    await ui.command('Leveret: Show or Hide Coverage');
    await until(async () => new Set(await bars(ui)).size >= 2, 'covered lines and a partly covered line');
  },

  async uncovered({ ui }) {
    await ui.command('Leveret: Show or Hide Coverage');
    await until(async () => (await bars(ui)).length === 0, 'the coverage is hidden');
  },

  async explorer({ ui }) {
    await ui.command('Testing: Focus on Test Explorer View');
    const row = text => ui.page.locator('.test-explorer .monaco-list-row', { hasText: text }).first();
    for (const name of ['Wallet.sol', /Wallet(?!\.)/]) { // the file, the contract
      await row(name).click();
      await ui.press('ArrowRight');
    }
    for (const name of ['begin', 'add', 'finish']) await row(name).waitFor();
    await row('finish').click();
    await ui.press('ArrowRight');
    await row('assertion').waitFor();
  },

  async run({ ui }) {
    const row = ui.page.locator('.test-explorer .monaco-list-row', { hasText: 'finish' }).first();
    await row.hover();
    await row.locator('.codicon-testing-run-icon').click();
    await row.locator('.codicon-testing-failed-icon').waitFor({ timeout: 45000 });
    // The message, with the calls as a stack.
    await ui.page.locator('.part.panel .monaco-list-row', { hasText: 'finish' }).first().click();
    await ui.page.locator('.part.panel', { hasText: 'begin(31337)' }).first().waitFor();
  },

  // The calls are stack frames with links. The lowest frame is the first call.
  async stack({ ui }) {
    await ui.command('View: Toggle Maximized Panel');
    const frames = ui.page.locator('.multiCallStackWidget .codicon-go-to-file');
    await until(async () => (await frames.count()) === 3, 'a frame for the finding and one for each call');
    await ui.shot(path.join(process.argv[2], 'stack.png'));
    await frames.last().click();
    await ui.status('Ln 8, Col 14').waitFor();
    await ui.command('View: Toggle Maximized Panel');
  },

  async walkthrough({ ui }) {
    await ui.command('Welcome: Open Walkthrough...');
    await ui.row('Leveret').click();
    const page = ui.page.locator('.gettingStartedContainer');
    for (const step of ['The server', 'Save a contract', 'Replay a finding', 'See the coverage']) {
      await page.locator('.step-title', { hasText: step }).first().waitFor();
    }
    await page.locator('.getting-started-step', { hasText: 'Replay a finding' }).first().click();
    await page.locator('.monaco-button', { hasText: 'Replay' }).first().click();
    await ui.tab('.trace');
  },

  async output({ ui }) {
    await ui.command('Leveret: Show Output');
    await ui.page.locator('.part.panel .view-line', { hasText: 'the server is' }).first().waitFor();
  },

  async fix({ ui }) {
    await ui.openFile('Wallet.sol');
    await ui.replaceLine(faulty, 'assert(step <= 1);');
    await ui.press('Control+S');
    await sees(ui, [], 'the squiggle is gone');
    await until(async () => !(await ui.problems()).some(p => p.includes('assert')), 'the problem is gone');
    await ui.status('Leveret: no findings').waitFor();
  },

  async again({ ui }) {
    await ui.replaceLine(faulty, 'assert(step == 0);');
    await ui.press('Control+S');
    await sees(ui, [faulty], 'the squiggle is back');
  },

  async killed({ ui, code }) {
    await ui.dismissToasts();
    const [pid] = servers(code);
    process.kill(pid, 'SIGKILL');
    await ui.toast('was restarted').waitFor();
    await until(() => servers(code).some(p => p !== pid), 'another server');
    await ui.openFile('Wallet.sol');
    await sees(ui, [faulty], 'the squiggle of the new server');
  },

  async leave({ ui, code }) {
    await ui.close();
    await until(() => servers(code).length === 0, 'the server ended with the window');
  },
};

const state = {};
const ok = await run(steps, state, process.argv[2]);
await state.ui?.close().catch(() => {});
await state.code?.stop();
fs.rmSync(folder, { recursive: true, force: true });
process.exit(ok ? 0 : 1);
