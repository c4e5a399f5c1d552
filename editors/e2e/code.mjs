// VS Code as people have it, but in a page: code-server in a headless browser.
// Knows nothing of Leveret.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

const here = import.meta.dirname;
const node = path.join(here, 'node_modules', `node-linux-${process.arch}`, 'bin/node');
const server = path.join(here, 'node_modules/code-server/out/node/entry.js');
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** What keeps a page quiet: nothing that pops up, nothing that asks the net. */
const quiet = {
  'workbench.startupEditor': 'none', 'workbench.tips.enabled': false, 'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off', 'extensions.autoUpdate': false, 'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true, 'update.mode': 'none', 'chat.disableAIFeatures': true, 'workbench.enableExperiments': false,
  'git.enabled': false, 'files.autoSave': 'off', 'workbench.colorTheme': 'Default Dark Modern', 'editor.minimap.enabled': false,
  'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never', 'security.workspace.trust.emptyWindow': false,
};

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

export async function until(holds, what, ms = 20000) {
  for (const end = Date.now() + ms; ;) {
    const v = await holds();
    if (v) return v;
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await sleep(50);
  }
}

const freePort = () => new Promise((resolve, reject) => {
  const s = net.createServer().on('error', reject);
  s.listen(0, '127.0.0.1', () => {
    const { port } = s.address();
    s.close(() => resolve(port));
  });
});

/** Starts code-server with an extension (a .vsix) on a folder. */
export async function start({ folder, vsix, extensions = [], settings = {}, trust = true, port, env = {} }) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'leveret-code-'));
  const data = path.join(root, 'data'), installed = path.join(root, 'extensions');
  const all = { ...quiet, 'security.workspace.trust.enabled': !trust, ...settings };
  // The window is remote: what belongs to a machine is read from Machine.
  for (const scope of ['User', 'Machine']) {
    fs.mkdirSync(path.join(data, scope), { recursive: true });
    fs.writeFileSync(path.join(data, scope, 'settings.json'), JSON.stringify(all));
  }
  const xdg = path.join(root, 'xdg');
  const environment = { ...process.env, XDG_CONFIG_HOME: xdg, XDG_DATA_HOME: xdg, XDG_CACHE_HOME: xdg, ...env };
  const common = [server, '--user-data-dir', data, '--extensions-dir', installed];
  for (const file of [vsix, ...extensions]) {
    execFileSync(node, [...common, '--install-extension', file], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  port ??= await freePort();
  const log = path.join(root, 'log'), fd = fs.openSync(log, 'w');
  const child = spawn(node, [
    ...common, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry', '--disable-update-check',
    ...(trust ? ['--disable-workspace-trust'] : []), '--disable-getting-started-override', '--ignore-last-opened', '--reconnection-grace-time', '5',
  ], { env: environment, stdio: ['ignore', fd, fd] });
  const ready = async () => {
    if (child.exitCode !== null) throw new Error(`code-server ended:\n${fs.readFileSync(log, 'utf8')}`);
    return fetch(`http://127.0.0.1:${port}/healthz`).then(r => r.ok, () => false);
  };
  await until(ready, 'code-server answers', 60000);
  return {
    folder, port, data, installed, pid: child.pid, address: `http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`,
    async stop() {
      const gone = new Promise(resolve => child.once('exit', resolve));
      child.kill('SIGTERM');
      if (!(await Promise.race([gone.then(() => true), sleep(8000)]))) child.kill('SIGKILL');
      fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** Opens the page, with a file of the folder if one is named. */
export async function open(code, { file, width = 1280, height = 800 } = {}) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: flags });
  const context = await browser.newContext({ viewport: { width, height }, permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  page.setDefaultTimeout(20000);
  const payload = file ? `&payload=${encodeURIComponent(JSON.stringify([['openFile', `vscode-remote://127.0.0.1:${code.port}${code.folder}/${file}`]]))}` : '';
  const opened = Date.now();
  await page.goto(code.address + payload);
  await page.waitForSelector('.monaco-workbench', { state: 'attached', timeout: 90000 });
  if (file) await page.waitForSelector('.editor-instance .view-line', { state: 'attached', timeout: 90000 });
  return new Workbench(code, browser, page, opened);
}

/** The page, by what a person does in it. */
class Workbench {
  constructor(code, browser, page, opened) {
    Object.assign(this, { code, browser, page, opened });
  }

  /** Leaving the page first lets the extension host end as it should. */
  async close() {
    await this.page.goto('about:blank').catch(() => {});
    await this.browser.close();
  }

  press(key) {
    return this.page.keyboard.press(key);
  }

  async ask(key, text) {
    await this.press(key);
    const input = this.page.locator('.quick-input-widget input');
    await input.first().waitFor({ state: 'visible' });
    await this.page.keyboard.insertText(text);
  }

  row(text) {
    return this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  }

  /** Runs a command by its title in the palette. */
  async command(title) {
    await this.ask('F1', title);
    await this.row(title).waitFor();
    await this.press('Enter');
  }

  async openFile(name) {
    await this.press('Escape');
    await this.ask('Control+P', name);
    await this.row(name).click();
    await this.tab(name);
  }

  tab(name) {
    return this.page.locator('.tab.active', { hasText: name }).first().waitFor();
  }

  async goto(line, column = 1) {
    await this.press('Control+1');
    await this.ask('Control+G', `${line}:${column}`);
    await this.press('Enter');
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  /** The lines in view, with their numbers and whether they are underlined. */
  lines() {
    return this.page.evaluate(() => {
      const editor = document.querySelector('.editor-group-container.active .editor-instance, .editor-instance');
      if (!editor) return [];
      const top = e => Math.round(e.getBoundingClientRect().top);
      const numbers = new Map([...editor.querySelectorAll('.margin-view-overlays > div')].map(m => [top(m), Number(m.querySelector('.line-numbers')?.textContent)]));
      const marks = [...editor.querySelectorAll('.view-overlays > div')].filter(o => o.querySelector('.cdr.squiggly-error, .cdr.squiggly-warning, .cdr.squiggly-info, .cdr.squiggly-hint')).map(top);
      return [...editor.querySelectorAll('.view-lines > .view-line')].map(l => ({
        line: numbers.get(top(l)), text: l.textContent.replaceAll('\u00a0', ' '), marked: marks.includes(top(l)),
      }));
    });
  }

  async underlined() {
    return (await this.lines()).filter(l => l.marked);
  }

  /** What the Problems view lists, related places included. */
  async problems() {
    if (!(await this.page.locator('.markers-panel').isVisible())) await this.press('Control+Shift+M');
    await this.page.locator('.markers-panel').waitFor();
    return this.page.locator('.markers-panel .monaco-list-row').evaluateAll(rows => rows.map(r => `${r.textContent} ${r.getAttribute('aria-label')}`));
  }

  /** The actions that are offered where the cursor is. */
  async fixes() {
    await this.press('Control+.');
    const rows = this.page.locator('.action-widget .monaco-list-row.action');
    await rows.first().waitFor();
    return rows.allTextContents();
  }

  async fix(title) {
    await this.page.locator('.action-widget .monaco-list-row.action', { hasText: title }).first().click();
  }

  /** Puts another text in the place of a line's. */
  async replaceLine(line, text) {
    await this.goto(line);
    await this.press('Home');
    await this.press('Shift+End');
    await this.page.keyboard.insertText(text);
  }

  status(text) {
    return this.page.locator('.statusbar-item', { hasText: text }).first();
  }

  toast(text) {
    return this.page.locator('.notification-toast', { hasText: text }).first();
  }

  async dismissToasts() {
    await this.command('Notifications: Clear All Notifications');
  }

  shot(file) {
    return this.page.screenshot({ path: file });
  }
}
