// make tour: serves VS Code in the browser with a copy of the example workspace
// until it is interrupted. PORT chooses the port. With PICTURES, a folder, it
// takes the pictures of the README and ends.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { address, open, start } from './code.mjs';

const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'leveret-tour-')), 'workspace');
fs.cpSync(path.join(import.meta.dirname, 'workspace'), folder, { recursive: true });
const vsix = process.env.VSIX ?? path.join(import.meta.dirname, `../../bin/leveret-${process.platform}-${process.arch}.vsix`);
const pictures = process.env.PICTURES;
const port = process.env.PORT ? Number(process.env.PORT) : undefined;
const code = await start({ folder, vsix, port, settings: { 'leveret.seed': 1, ...(pictures && { 'leveret.idle': false, 'leveret.budget': '1s' }) } });

async function end() {
  await code.stop();
  fs.rmSync(path.dirname(folder), { recursive: true, force: true });
  process.exit(0);
}

/** Takes the pictures of the README. */
async function takePictures(ui) {
  fs.mkdirSync(pictures, { recursive: true });
  const take = async name => {
    await ui.page.mouse.move(700, 690); // a point without a hover
    await ui.page.locator('.workbench-hover').first().waitFor({ state: 'hidden' });
    await ui.shot(path.join(pictures, `${name}.png`));
  };
  const lenses = () => ui.page.locator('.codelens-decoration', { hasText: '1 finding' }).nth(1).waitFor(); // one for the contract, one for the function
  const faulty = 18;
  await ui.squiggle(true);
  await ui.problems();
  await ui.status('Leveret: 1 finding').waitFor();
  await lenses();
  await ui.goto(1);
  for (let line = 1; line < faulty; line++) await ui.press('ArrowDown'); // nothing scrolls
  await ui.press('Home');
  await take('finding');
  await ui.fixes();
  await take('actions');
  await ui.fix('Replay');
  await ui.tab('.trace');
  await ui.page.locator('.detected-link').first().waitFor();
  await ui.command('View: Toggle Panel Visibility');
  await ui.command('View: Toggle Primary Side Bar Visibility');
  await ui.goto(3);
  await take('trace');
  await ui.command('View: Toggle Primary Side Bar Visibility');
  await ui.openFile('Wallet.sol');
  await ui.command('Leveret: Show or Hide Coverage');
  await ui.goto(1);
  await lenses();
  await take('coverage');
  await ui.command('Leveret: Show or Hide Coverage');
  await ui.command('Testing: Focus on Test Explorer View');
  const row = text => ui.page.locator('.test-explorer .monaco-list-row', { hasText: text }).first();
  await row('Wallet.sol').click();
  await ui.press('ArrowRight');
  const contract = row(/Wallet(?!\.)/);
  await contract.hover();
  await contract.locator('.codicon-testing-run-icon').click();
  await contract.locator('.codicon-testing-failed-icon').waitFor();
  await contract.click();
  await ui.press('ArrowRight');
  await row('finish').click();
  await ui.press('ArrowRight');
  await row('assertion').waitFor();
  await ui.command('Focus on Test Results View');
  const call = ui.page.locator('.part.panel .monaco-list-row', { hasText: 'finish' }).first();
  await call.click();
  await ui.page.locator('.part.panel', { hasText: 'begin(31337)' }).first().waitFor();
  await take('testing');
}

/** Takes the picture of a debug session: backwards from the failure to what changed a variable. */
async function takeDebugger(ui) {
  const faulty = fs.readFileSync(path.join(folder, 'src/Auction.sol'), 'utf8').split('\n').findIndex(l => l.includes('assert(')) + 1;
  await ui.status(/Leveret: \d+ finding/).waitFor();
  await ui.goto(faulty, 12);
  await ui.fix('Debug this finding');
  await ui.page.locator('.exception-widget').waitFor();
  await ui.command('View: Show Run and Debug');
  await ui.command('View: Toggle Panel Visibility');
  await ui.variable('State', 'owed', 1);
  await ui.breakOnChange('owed');
  await ui.debugger('reverse-continue');
  await ui.frame('_refundLeader');
  await ui.variable('State', 'owed', 0);
  await ui.page.mouse.move(700, 690);
  await ui.page.locator('.workbench-hover').first().waitFor({ state: 'hidden' });
  await ui.shot(path.join(pictures, 'debug.png'));
}

if (pictures) {
  for (const [file, take] of [['src/Wallet.sol', takePictures], ['src/Auction.sol', takeDebugger]]) {
    const ui = await open(code, { file, width: 1100, height: 860 });
    await take(ui).catch(async error => {
      throw new Error(`the page's notifications: ${await ui.notifications()}`, { cause: error });
    });
    await ui.close();
  }
  await end();
}

console.log(`VS Code with Leveret: ${address(code, [['openFile', `${folder}/src/Wallet.sol`]])}
It opens src/Wallet.sol; src/Auction.sol has a bug as well. Edit them and save. The folder is a copy: ${folder}
Ctrl+C ends it.`);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
