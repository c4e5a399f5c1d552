// Takes the pictures of the README of reports: node pictures.mjs REPORT.html FOLDER
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Report } from './report.mjs';

const [, , file, folder] = process.argv;
fs.mkdirSync(folder, { recursive: true });
const take = async (name, options, prepare) => {
  const ui = await Report.open(pathToFileURL(file).href, options);
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
