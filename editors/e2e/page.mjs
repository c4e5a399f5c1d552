// Tests the page of a report in a browser: node page.mjs SHOTS REPORT.html
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Report } from './report.mjs';
import { run } from './steps.mjs';

const [, , shots, file] = process.argv;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'leveret-page-'));
const address = pathToFileURL(file).href;

/** What a project could put in names and messages. */
const hostile = `\u202eabc\u2066</script><img src=x onerror=alert(1)><script>window.harmed = true</script>\u0007\u200b"'${'9'.repeat(78)} ${'x'.repeat(5000)}`;

/** Replaces all texts of a document that a project can choose. */
function poison(value, key = '') {
  if (Array.isArray(value)) return value.map(v => poison(v, key));
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, k === 'oracles' ? v : poison(v, k)]));
  const chosen = ['message', 'text', 'here', 'name', 'value', 'note', 'signature', 'function', 'deployment', 'after', 'when', 'root', 'failures', 'contracts', 'condition'];
  return typeof value === 'string' && chosen.includes(key) ? hostile : value;
}

/** Adds a contract's condition that stops inputs. */
function hardlyCovered(doc) {
  const [first, ...others] = doc.report.contracts;
  const blocker = { file: first.file, line: 3, condition: 'amount < 5', inputs: 1234 };
  return { ...doc, report: { ...doc.report, contracts: [{ ...first, blocker }, ...others] } };
}

/** Writes a copy of the report with another document. */
function withDocument(change) {
  const page = fs.readFileSync(file, 'utf8');
  const [whole, before, document, after] = page.match(/(<script type="application\/json" id="document">)([^]*?)(<\/script>)/);
  const changed = JSON.stringify(change(JSON.parse(document))).replaceAll('<', '\\u003c');
  const copy = path.join(folder, 'changed.html');
  fs.writeFileSync(copy, page.replace(whole, () => before + changed + after));
  return pathToFileURL(copy).href;
}

const messages = ui => ui.page.locator('details.finding .message').allTextContents();
const choose = (ui, id, value) => ui.page.locator(`#${id}`).selectOption(value);
const background = ui => ui.page.evaluate(() => getComputedStyle(document.body).backgroundColor);

const steps = {
  async overview(s) {
    s.ui = await Report.open(address);
    const { ui } = s;
    await ui.view('overview');
    s.all = Number(await ui.page.locator('.card .value').first().textContent());
    assert.ok(s.all >= 6, `${s.all} findings`);
    assert.equal(await ui.page.locator('svg.chart').count(), 4);
    assert.ok((await ui.page.locator('svg.chart path.line').count()) >= 5, 'a line in each chart, two in that of coverage');
    await choose(ui, 'contract', { label: 'Vault' });
    assert.deepEqual(await ui.page.locator('#overview caption').allTextContents(), ['Contracts', 'Sources of inputs', 'Functions']);
    assert.ok((await ui.page.locator('table', { hasText: 'Functions' }).textContent()).includes('withdraw(uint256)'));
    assert.ok((await ui.page.locator('#overview .facts').textContent()).includes('--max-inputs'));
  },

  async filter({ ui, all }) {
    await ui.go('findings');
    assert.equal((await messages(ui)).length, all);
    await ui.page.locator('#filter-text').fill('TX.ORIGIN check');
    assert.equal((await messages(ui)).length, 1);
    assert.equal(await ui.page.locator('#finding-count').textContent(), `1 of ${all} findings`);
    await ui.page.locator('#filter-text').fill('');
    await choose(ui, 'filter-severity', 'error');
    const badges = await ui.page.locator('details.finding .badge').allTextContents();
    assert.ok(badges.length > 0 && badges.length < all && badges.every(b => b === 'error'), badges.join());
    await choose(ui, 'filter-contract', 'Ledger');
    assert.ok((await ui.page.locator('details.finding .meta').allTextContents()).every(m => m.includes('Ledger.sol')));
    await choose(ui, 'filter-severity', '');
    await choose(ui, 'filter-contract', '');
    await choose(ui, 'filter-oracle', 'gasless-send'); // described by another oracle as well
    assert.equal((await messages(ui)).length, 1);
    await choose(ui, 'filter-oracle', '');
  },

  async order({ ui }) {
    const lines = async () => (await ui.page.locator('details.finding .meta .place').allTextContents());
    await choose(ui, 'filter-order', 'place');
    const sorted = (await lines()).map(l => l.split(':')).sort((a, b) => a[0].localeCompare(b[0]) || a[1] - b[1]).map(l => l.join(':'));
    assert.deepEqual(await lines(), sorted);
    await choose(ui, 'filter-order', 'severity');
    const badges = await ui.page.locator('details.finding .badge').allTextContents();
    const ranks = badges.map(b => ['error', 'warning', 'information', 'hint'].indexOf(b));
    assert.deepEqual(ranks, ranks.toSorted((a, b) => a - b));
  },

  async finding({ ui }) {
    const card = await ui.open('take');
    const body = await card.textContent();
    for (const part of ['What happens', 'attacker calls', 'Call trace', 'What it means and how to fix it', 'How to fix', 'leveret replay --id SWC-105:Vault:']) assert.ok(body.includes(part), part);
    assert.ok((await card.locator('.trace .here').first().textContent()).includes('ether-leak'));
    assert.ok((await card.locator('.trace li li li').count()) > 0, 'calls within calls');
    assert.ok(await card.locator('.excerpt .found').first().textContent().then(t => t.includes('msg.sender.call')));
  },

  async source({ ui }) {
    const card = await ui.open('take');
    const link = card.locator('.trace .place', { hasText: 'Ledger.sol' }).first();
    const [, line] = (await link.textContent()).split(':');
    await link.click();
    await ui.view('source');
    assert.equal(await ui.page.locator('#file').inputValue(), 'src/Ledger.sol');
    assert.equal(await ui.page.evaluate(() => document.activeElement.id), `L${line}`);
    assert.ok(await ui.page.locator(`#L${line}.target`).isVisible());
  },

  async gutter({ ui }) {
    await choose(ui, 'file', 'src/Vault.sol');
    const line = text => ui.page.locator('.source .line', { hasText: text }).first();
    assert.match(await line('require(msg.value > 0').getAttribute('class'), /covered/);
    assert.equal(await line('require(msg.value > 0').locator('.arms').textContent(), '2/2');
    assert.match(await line('sum = 0;').getAttribute('class'), /missed/);
    assert.match(await line('if (amount > 1 ether').locator('.arms').getAttribute('class'), /partly/);
    assert.match(await line('require(msg.value > 0').locator('.hits').getAttribute('aria-label'), /inputs ran this line/);
    assert.ok((await ui.page.locator('.source .s-keyword').count()) > 10);
    await ui.page.locator('.source a.mark', { hasText: 'tx.origin' }).click();
    await ui.view('findings');
    assert.ok(await ui.page.locator('details.finding[open]', { hasText: 'tx.origin' }).first().isVisible());
    await ui.page.goBack();
    await ui.view('source');
  },

  async coverage({ ui }) {
    await ui.go('coverage');
    assert.equal(await ui.page.locator('#coverage tbody tr').count(), 2);
    assert.ok((await ui.page.locator('#coverage .strip rect.covered').count()) > 2);
    await ui.page.locator('#coverage a', { hasText: 'src/Ledger.sol' }).click();
    await ui.view('source');
    assert.equal(await ui.page.locator('#file').inputValue(), 'src/Ledger.sol');
  },

  async keyboard({ ui }) {
    const press = key => ui.page.keyboard.press(key);
    for (const [key, view] of [['1', 'overview'], ['2', 'findings'], ['3', 'coverage'], ['4', 'source']]) {
      await press(key);
      await ui.view(view);
    }
    await press('/');
    assert.equal(await ui.focus(), 'filter-text');
    await ui.page.keyboard.type('tjk?'); // letters in a field are letters
    assert.equal(await ui.page.locator('#filter-text').inputValue(), 'tjk?');
    await ui.page.locator('#filter-text').fill('');
    await press('Escape');
    await press('j');
    await press('j');
    const opened = ui.page.locator('details.finding').nth(1);
    const was = await opened.evaluate(d => d.open);
    await press('Enter');
    assert.equal(await opened.evaluate(d => d.open), !was);
    await press('k');
    assert.ok(await ui.page.locator('details.finding').first().evaluate(d => d.contains(document.activeElement)));
    await press('s');
    await ui.view('source');
    await press('?');
    assert.ok(await ui.page.locator('dialog').isVisible());
    await press('Escape');
    assert.ok(await ui.page.locator('dialog').isHidden());
  },

  async colours({ ui }) {
    const light = await background(ui);
    await ui.page.emulateMedia({ colorScheme: 'dark' });
    const dark = await background(ui);
    assert.notEqual(dark, light);
    await ui.page.locator('#theme').click();
    assert.equal(await background(ui), light);
    await ui.page.keyboard.press('t');
    assert.equal(await background(ui), dark);
    for (const view of ['overview', 'findings', 'coverage', 'source']) {
      await ui.go(view);
      assert.deepEqual(await ui.pale(), [], `${view}, dark`);
    }
    await ui.page.keyboard.press('t');
    for (const view of ['source', 'coverage', 'findings', 'overview']) {
      await ui.go(view);
      assert.deepEqual(await ui.pale(), [], `${view}, light`);
    }
  },

  // Controls have names, and no heading, table or list is lost to those who cannot see.
  async names({ ui }) {
    for (const view of ['overview', 'findings', 'coverage', 'source']) {
      await ui.go(view);
      const nameless = await ui.page.locator('button, input, select, a, [role=img], [role=region]').evaluateAll(all => all.filter(e => e.checkVisibility() &&
        !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.[0]?.textContent.trim())).map(e => e.outerHTML));
      assert.deepEqual(nameless, [], view);
    }
  },

  async print({ ui, all }) {
    await ui.go('overview');
    const bytes = await ui.page.pdf({ format: 'A4' });
    assert.ok(bytes.length > 20000, `${bytes.length} bytes`);
    await ui.page.emulateMedia({ media: 'print' });
    assert.equal(await ui.page.locator('details.finding[open]').count(), all);
    assert.ok(await ui.page.locator('#findings').isVisible());
    assert.ok(await ui.page.locator('#coverage').isVisible());
    assert.ok(await ui.page.locator('nav').isHidden());
    assert.ok((await ui.page.locator('.explanation[open]').count()) > 0);
    await ui.page.emulateMedia({ media: null });
  },

  async phone({ ui }) {
    await ui.page.setViewportSize({ width: 390, height: 844 });
    for (const view of ['overview', 'findings', 'coverage', 'source']) {
      await ui.go(view);
      assert.ok((await ui.overflow()) <= 0, `${view} is too wide`);
    }
    await ui.page.setViewportSize({ width: 1280, height: 800 });
  },

  // Nothing is fetched, nothing violates the policy, and the policy holds.
  async policy({ ui }) {
    assert.deepEqual(ui.trouble, []);
    assert.ok(ui.requests.every(r => r.startsWith('file:')), ui.requests.join());
    await ui.page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.harmed = true';
      document.body.append(script);
      const image = document.createElement('img');
      image.src = 'https://example.com/a.png';
      document.body.append(image);
    });
    await ui.page.waitForFunction(() => window.violations.length >= 2);
    assert.equal(await ui.page.evaluate(() => window.harmed), undefined);
  },

  async blocker(s) {
    await s.ui.close();
    s.ui = await Report.open(withDocument(hardlyCovered));
    await s.ui.go('overview');
    const shown = await s.ui.page.locator('table', { hasText: 'Contracts' }).textContent();
    assert.match(shown, /Few branches were reached: amount < 5 \(src\/\w+\.sol:3\) had one outcome only, in 1,234 inputs\./);
  },

  async hostile(s) {
    await s.ui.close();
    s.ui = await Report.open(withDocument(doc => poison(hardlyCovered(doc))));
    const { ui } = s;
    for (const width of [1280, 390]) {
      await ui.page.setViewportSize({ width, height: 844 });
      for (const view of ['overview', 'findings', 'coverage', 'source']) {
        await ui.go(view);
        if (view === 'findings') await ui.page.locator('details.finding > summary').first().click();
        assert.ok((await ui.overflow()) <= 0, `${view} is too wide at ${width}`);
        const shown = await ui.page.locator('#app').innerText();
        assert.doesNotMatch(shown, /[\u0007\u200b\u202e\u2066]/u);
        if (view !== 'coverage') assert.ok(shown.includes('\\u{202e}abc\\u{2066}</script><img src=x'), view);
        assert.equal(await ui.page.locator('#app img, #app script').count(), 0);
      }
    }
    assert.equal(await ui.page.evaluate(() => window.harmed), undefined);
    assert.deepEqual(ui.trouble, []);
  },

  async empty(s) {
    await s.ui.close();
    s.ui = await Report.open(withDocument(d => ({ ...d, details: {}, oracles: {}, files: null, campaigns: null, report: { ...d.report, contracts: [], groups: [] } })));
    for (const view of ['overview', 'findings', 'coverage', 'source']) await s.ui.go(view);
    await s.ui.go('findings');
    assert.equal(await s.ui.page.locator('#finding-count').textContent(), 'No findings.');
    assert.deepEqual(s.ui.trouble, []);
  },
};

const state = {};
const ok = await run(steps, state, shots);
await state.ui?.close().catch(() => {});
fs.rmSync(folder, { recursive: true, force: true });
process.exit(ok ? 0 : 1);
