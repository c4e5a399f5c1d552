// Tests the page of a run that goes on, in a browser: node live.mjs SHOTS LEVERET FLAGS...
import assert from 'node:assert/strict';
import { Report, Run } from './report.mjs';
import { run } from './steps.mjs';
import { until } from './until.mjs';

const [, , shots, leveret, ...flags] = process.argv;

/** The number in the card with a label. */
const card = (ui, label) => ui.page.locator('.card', { has: ui.page.locator('.label', { hasText: label }) }).locator('.value').textContent();
const status = (ui, text) => ui.page.locator('#live', { hasText: text }).waitFor();

const steps = {
  async start(s) {
    s.run = await Run.start(leveret, flags);
    s.ui = await Report.open(s.run.address);
    await status(s.ui, 'running');
  },

  async grows({ ui }) {
    const seen = new Set();
    await until(async () => seen.add(await card(ui, 'Inputs')).size > 2, 'the number of inputs to change twice');
    await ui.page.locator('svg.chart path.line').first().waitFor();
    assert.ok(await ui.page.locator('caption', { hasText: 'Sources of inputs' }).count());
  },

  async found({ ui }) {
    await ui.go('findings');
    const card = await ui.open('this assertion can fail');
    await card.locator('.here').first().waitFor();
    await until(() => card.evaluate(d => d.open), 'an open finding');
  },

  async source({ ui }) {
    await ui.page.locator('details.finding a.place').first().click();
    await ui.view('source');
    await ui.page.locator('#source .line', { hasText: 'assert(' }).first().waitFor();
  },

  async dark({ ui }) {
    await ui.go('overview');
    await ui.page.keyboard.press('t');
    assert.deepEqual(await ui.pale(), []);
  },

  async policy({ ui }) {
    assert.deepEqual(await ui.page.evaluate(() => window.violations), []);
    assert.deepEqual(ui.trouble, []);
    const origin = new URL(ui.page.url()).origin;
    assert.deepEqual(ui.requests.filter(r => !r.startsWith(origin)), [], 'requests to other places');
  },

  async end({ ui, run: campaign }) {
    campaign.kill('SIGINT');
    await status(ui, 'ended');
    assert.equal(await campaign.exited, 1);
    await ui.go('findings');
    await ui.open('this assertion can fail');
  },

  async killed(s) {
    await s.ui.close();
    await steps.start(s);
    s.run.kill('SIGKILL');
    assert.equal(await s.run.exited, 'SIGKILL');
    await status(s.ui, 'connection lost');
    await s.ui.view('overview');
  },
};

const state = {};
await run(steps, state, shots);
state.run?.kill('SIGKILL');
await state.ui?.close();
