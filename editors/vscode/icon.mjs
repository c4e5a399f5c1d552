// Draws media/icon.png from media/icon.svg with the browser of the tests:
// node icon.mjs. Run it when the drawing changes.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../e2e/', import.meta.url))('playwright-core');
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 128, height: 128 } });
await page.setContent(`<body style="margin:0">${fs.readFileSync('media/icon.svg', 'utf8')}</body>`);
await page.screenshot({ path: 'media/icon.png', omitBackground: true });
await browser.close();
