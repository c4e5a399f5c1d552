// Takes the pictures of the README of reports: node pictures.mjs REPORT.html FOLDER LEVERET
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Report, Run } from './report.mjs';
import { until } from './until.mjs';

const [, , file, folder, leveret] = process.argv;
fs.mkdirSync(folder, { recursive: true });
const take = async (name, options, prepare, address = pathToFileURL(file).href) => {
  const ui = await Report.open(address, options);
  await prepare(ui);
  await ui.page.mouse.move(0, 0);
  await ui.shot(path.join(folder, `${name}.png`));
  await ui.close();
};

await take('report', { width: 1280, height: 1000 }, async ui => {
  const card = await ui.open('take');
  await card.evaluate(e => { e.scrollIntoView(); document.activeElement.blur(); });
});
await take('source', { width: 1280, height: 700, colorScheme: 'dark' }, async ui => {
  await ui.go('source');
  await ui.page.locator('#file').selectOption('src/Vault.sol');
  await ui.page.locator('.line', { hasText: 'msg.sender.call' }).evaluate(e => e.scrollIntoView({ block: 'center' }));
});

const run = await Run.start(leveret, ['fuzz', '--ui', '--time', '8s', '--workers', '1', '--seed', '1', 'report']);
await take('live', { width: 1280, height: 1000 }, async ui => {
  const time = ui.page.locator('.card .value').last();
  await until(async () => parseFloat(await time.textContent()) > 12, 'the second contract to be fuzzed');
}, run.address);
run.kill('SIGINT');
await run.exited;
