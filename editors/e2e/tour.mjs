// VS Code in the browser on a copy of the example workspace, until it is
// interrupted: make tour. PORT chooses the port; PICTURES names a folder for
// the pictures of the README, which are taken instead of waiting.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { open, start } from './code.mjs';
import { until } from './until.mjs';

const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'leveret-tour-')), 'workspace');
fs.cpSync(path.join(import.meta.dirname, 'workspace'), folder, { recursive: true });
const vsix = process.env.VSIX ?? path.join(import.meta.dirname, `../../bin/leveret-${process.platform}-${process.arch}.vsix`);
const pictures = process.env.PICTURES;
const port = process.env.PORT ? Number(process.env.PORT) : undefined;
const code = await start({ folder, vsix, port, settings: { 'leveret.seed': 1 } });

async function end() {
  await code.stop();
  fs.rmSync(path.dirname(folder), { recursive: true, force: true });
  process.exit(0);
}

if (pictures) {
  fs.mkdirSync(pictures, { recursive: true });
  const ui = await open(code, { file: 'src/Wallet.sol', width: 1100, height: 720 });
  const take = name => ui.shot(path.join(pictures, `${name}.png`));
  await until(async () => (await ui.underlined()).length > 0, 'a squiggle', 60000);
  await ui.problems();
  await ui.status('Leveret: 1 finding').waitFor({ timeout: 60000 });
  await ui.goto(18, 12);
  await take('finding');
  await ui.fixes();
  await take('actions');
  await ui.press('Escape');
  await ui.command('Testing: Focus on Test Explorer View');
  await ui.page.locator('.test-explorer .monaco-list-row', { hasText: 'Wallet' }).first().click();
  await ui.press('ArrowRight');
  await ui.command('Leveret: Show or Hide Coverage');
  await ui.goto(1);
  await until(async () => (await ui.lines()).length > 0, 'the code');
  await take('testing');
  await ui.close();
  await end();
}

console.log(`VS Code with Leveret: ${code.address}
Open src/Wallet.sol or src/Auction.sol, and save. The folder is a copy: ${folder}
Ctrl+C ends it.`);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
