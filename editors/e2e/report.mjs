// The page of a report, or of a run that goes on, in a headless browser.
import { spawn } from 'node:child_process';
import { chromium } from 'playwright-core';
import { flags } from './browser.mjs';
import { patience, until } from './until.mjs';

/** A run with a page. */
export class Run {
  /** Starts leveret with flags that ask for a page, and waits for an address that it prints. */
  static async start(leveret, args, address = /http:\/\/\S+/) {
    const process = spawn(leveret, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const run = new Run();
    let said = '';
    process.stderr.on('data', text => { said += text; });
    run.exited = new Promise(resolve => process.on('exit', (code, signal) => resolve(signal ?? code)));
    run.kill = signal => process.kill(signal);
    [run.address] = await until(() => said.match(address), 'an address on standard error');
    return run;
  }
}

export class Report {
  /** Opens an address, and notes requests, errors and violations of its policy. */
  static async open(address, { width = 1280, height = 800, colorScheme = 'light', scale = 1 } = {}) {
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: flags });
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, deviceScaleFactor: scale });
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    const ui = new Report(browser, page);
    await page.addInitScript(() => {
      window.violations = [];
      document.addEventListener('securitypolicyviolation', e => window.violations.push(`${e.violatedDirective} ${e.blockedURI}`));
    });
    page.on('console', m => ui.trouble.push(m.text()));
    page.on('pageerror', e => ui.trouble.push(e.stack));
    page.on('request', r => ui.requests.push(r.url()));
    await page.goto(address);
    await page.locator('main').waitFor();
    return ui;
  }

  constructor(browser, page) {
    Object.assign(this, { browser, page, trouble: [], requests: [] });
  }

  /** Waits for a view. */
  async view(name) {
    await this.page.locator(`#${name}:not([hidden])`).waitFor();
  }

  /** Goes to a view. */
  async go(name) {
    await this.page.locator(`#to-${name}`).click();
    await this.view(name);
  }

  /** Opens the finding whose message has a text. */
  async open(text) {
    await this.go('findings');
    const card = this.page.locator('details.finding', { has: this.page.locator('.message', { hasText: text }) }).first();
    if (!(await card.evaluate(d => d.open))) await card.locator('summary').first().click();
    await card.locator('.body > *').first().waitFor();
    return card;
  }

  focus() {
    return this.page.evaluate(() => document.activeElement.id);
  }

  /** How many pixels of the page do not fit its width. */
  overflow() {
    return this.page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
  }

  /** Lists texts whose contrast is below 4.5, the minimum of WCAG AA. */
  pale() {
    return this.page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const behind = element => {
        const layers = [];
        for (let e = element; e; e = e.parentElement) layers.unshift(getComputedStyle(e).backgroundColor);
        canvas.fillStyle = 'white';
        for (const colour of ['white', ...layers]) {
          canvas.fillStyle = colour;
          canvas.fillRect(0, 0, 1, 1);
        }
        return [...canvas.getImageData(0, 0, 1, 1).data];
      };
      const own = colour => {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
      };
      const light = rgb => {
        const [r, g, b] = rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const pale = new Set();
      for (const e of document.querySelectorAll('#app *')) {
        if (!e.checkVisibility() || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
        const style = getComputedStyle(e);
        const [high, low] = [light(behind(e)), light(own(e instanceof SVGElement ? style.fill : style.color))].sort((a, b) => b - a);
        const contrast = (high + 0.05) / (low + 0.05);
        if (contrast < 4.5) pale.add(`${e.tagName}.${e.getAttribute('class')}: ${contrast.toFixed(2)}`);
      }
      return [...pale];
    });
  }

  shot(file) {
    return this.page.screenshot({ path: file });
  }

  async notifications() {
    return this.trouble;
  }

  close() {
    return this.browser.close();
  }
}
