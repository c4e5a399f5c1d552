// VS Code as a web page: code-server in a headless browser. Independent of
// Leveret. Each wait is for a visible state, with a long limit for busy
// machines, and never for a fixed time.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { flags } from './browser.mjs';
import { patience, sleep, until } from './until.mjs';
import { Workbench } from './workbench.mjs';

const here = import.meta.dirname;
const node = path.join(here, 'node_modules', `node-linux-${process.arch}`, 'bin/node');
const server = path.join(here, 'node_modules/code-server/out/node/entry.js');

/** What keeps a page quiet: nothing that pops up, nothing that asks the net. */
const quiet = {
  'workbench.startupEditor': 'none', 'workbench.tips.enabled': false, 'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off', 'extensions.autoUpdate': false, 'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true, 'update.mode': 'none', 'chat.disableAIFeatures': true, 'workbench.enableExperiments': false,
  'git.enabled': false, 'files.autoSave': 'off', 'workbench.colorTheme': 'Default Dark Modern', 'editor.minimap.enabled': false,
  'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never', 'security.workspace.trust.emptyWindow': false,
};

const freePort = () => new Promise((resolve, reject) => {
  const s = net.createServer().on('error', reject);
  s.listen(0, '127.0.0.1', () => {
    const { port } = s.address();
    s.close(() => resolve(port));
  });
});

/** Starts code-server on a folder, with an extension if one (a .vsix) is named. */
export async function start({ folder, vsix, settings = {}, trust = true, port, env = {}, options = [] }) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'leveret-code-'));
  const data = path.join(root, 'data'), installed = path.join(root, 'extensions');
  const all = { ...quiet, 'security.workspace.trust.enabled': !trust, ...settings };
  // The window is remote, so VS Code reads machine settings from Machine.
  for (const scope of ['User', 'Machine']) {
    fs.mkdirSync(path.join(data, scope), { recursive: true });
    fs.writeFileSync(path.join(data, scope, 'settings.json'), JSON.stringify(all));
  }
  const xdg = path.join(root, 'xdg');
  const environment = { ...process.env, XDG_CONFIG_HOME: xdg, XDG_DATA_HOME: xdg, XDG_CACHE_HOME: xdg, ...env };
  const common = [server, '--user-data-dir', data, '--extensions-dir', installed];
  for (const file of vsix ? [vsix] : []) {
    execFileSync(node, [...common, '--install-extension', file], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  port ??= await freePort();
  const log = path.join(root, 'log'), fd = fs.openSync(log, 'w');
  const launch = () => spawn(node, [
    ...common, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry', '--disable-update-check',
    ...(trust ? ['--disable-workspace-trust'] : []), '--disable-getting-started-override', '--ignore-last-opened', '--reconnection-grace-time', '5',
    ...options.flatMap(o => ['--vscode-option', o]),
  ], { env: environment, stdio: ['ignore', fd, fd] });
  let child = launch();
  const ready = async () => {
    const said = () => fs.readFileSync(log, 'utf8');
    if (child.exitCode !== null && !said().endsWith('error timed out\n')) throw new Error(`code-server ended:\n${said()}`);
    if (child.exitCode !== null) child = launch(); // it gives its own process ten seconds to start
    return fetch(`http://127.0.0.1:${port}/healthz`).then(r => r.ok, () => false);
  };
  await until(ready, 'code-server answers');
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

/** A page on a folder; a payload tells VS Code what to begin with. */
export function address(code, payload) {
  const there = payload.map(([what, file]) => [what, file.startsWith('/') ? `vscode-remote://127.0.0.1:${code.port}${file}` : file]);
  return code.address + (there.length > 0 ? `&payload=${encodeURIComponent(JSON.stringify(there))}` : '');
}

async function browse(width, height) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: flags });
  const context = await browser.newContext({ viewport: { width, height }, permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  return { browser, page };
}

/** Opens the page, with a file of the folder if one is named. */
export async function open(code, { file, width = 1280, height = 800 } = {}) {
  const { browser, page } = await browse(width, height);
  const opened = Date.now();
  await page.goto(address(code, file ? [['openFile', `${code.folder}/${file}`]] : []));
  await page.waitForSelector('.monaco-workbench', { state: 'attached' });
  if (file) await page.waitForSelector('.editor-instance .view-line', { state: 'attached' });
  return new Workbench(code, browser, page, opened);
}

/**
 * Runs run() of a CommonJS module in the extension host, which is started for
 * an extension in a folder of its own, and hands on what the module logs. The
 * server needs the option enable-smoke-test-driver.
 */
export async function inHost(code, { extension, module, log }) {
  const { browser, page } = await browse(1280, 800);
  await page.exposeFunction('codeAutomationLog', (kind, words) => log(kind, words.join(' ')));
  const ended = new Promise(resolve => page.exposeFunction('codeAutomationExit', resolve));
  await page.goto(address(code, [['extensionDevelopmentPath', extension], ['extensionTestsPath', module], ['skipWelcome', 'true'], ['skipReleaseNotes', 'true']]));
  const status = await ended;
  await page.goto('about:blank');
  await browser.close();
  return status;
}
