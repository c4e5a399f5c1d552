// Tests the page of a campaign with workers, in a browser: node campaign.mjs SHOTS LEVERET FOLDER FILE
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { Report, Run } from './report.mjs';
import { run } from './steps.mjs';
import { until } from './until.mjs';

const [, , shots, leveret, folder, file] = process.argv;

const table = (ui, caption) => ui.page.locator('table', { has: ui.page.locator('caption', { hasText: caption }) });
const status = (ui, text) => ui.page.locator('#live', { hasText: text }).waitFor();

const steps = {
  async start(s) {
    s.worker = await Run.start(leveret, ['campaign', 'start', '--workers', '1', '--dir', folder, file], /nats:\/\/\S+/);
    s.run = await Run.start(leveret, ['campaign', 'status', '--ui', folder]);
    s.ui = await Report.open(s.run.address);
    await status(s.ui, 'running');
  },

  async workers({ ui }) {
    await table(ui, 'Workers').locator('td', { hasText: 'Auction' }).waitFor();
    assert.equal(await table(ui, 'Workers').locator('tbody tr').count(), 1);
  },

  /** The figures are those that workers report: what is executed for the page has one source. */
  async sources({ ui }) {
    const row = table(ui, 'Sources of inputs').locator('tr', { hasText: 'substituted' });
    await until(async () => Number((await row.locator('.n').first().textContent()).replaceAll(',', '')) > 100, 'inputs of a source');
  },

  async charts({ ui }) {
    const findings = ui.page.locator('figure', { hasText: 'Findings' }).locator('svg text');
    await until(async () => (await findings.allTextContents()).slice(0, 3).join() === '0,0.5,1', 'an axis up to the only finding');
  },

  async found({ ui }) {
    await ui.go('findings');
    const card = await ui.open('this assertion can fail');
    const body = await card.textContent();
    assert.ok(body.includes('Call trace') && !body.includes('found after'), body);
  },

  async source({ ui }) {
    await ui.page.locator('details.finding a.place').first().click();
    await ui.view('source');
    assert.match(await ui.page.locator('#source .line', { hasText: 'leader = msg.sender' }).first().getAttribute('class'), /covered/);
  },

  async policy({ ui }) {
    assert.deepEqual(await ui.page.evaluate(() => window.violations), []);
    assert.deepEqual(ui.trouble, []);
  },

  async stop({ ui, worker }) {
    execFileSync(leveret, ['campaign', 'stop', folder], { stdio: 'ignore' });
    await status(ui, 'stopped');
    assert.equal(await worker.exited, 0);
  },

  async end({ ui, run: page }) {
    page.kill('SIGTERM');
    await status(ui, 'ended');
    assert.equal(await page.exited, 0);
  },
};

const state = {};
await run(steps, state, shots);
for (const started of [state.run, state.worker]) started?.kill('SIGKILL');
await state.ui?.close();
