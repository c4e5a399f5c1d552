// Drives VS Code's page through its UI. Independent of Leveret.

import { patience, until } from './until.mjs';

export class Workbench {
  constructor(code, browser, page, opened) {
    Object.assign(this, { code, browser, page, opened });
  }

  /** Leaves the page first, so that the extension host shuts down normally. */
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

  /** Accepts the focused row of the list, by key because rows move while the list fills. */
  async accept(text) {
    await this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: text }).waitFor();
    await this.press('Enter');
  }

  /** Runs a command by its title in the palette. */
  async command(title) {
    await this.ask('F1', title);
    await this.accept(title);
  }

  async openFile(name) {
    await this.press('Escape');
    await this.ask('Control+P', name);
    await this.accept(name);
    await this.tab(name);
  }

  tab(name) {
    return this.activeTab(name).waitFor();
  }

  activeTab(name) {
    return this.page.locator('.tab.active', { hasText: name }).first();
  }

  async goto(line, column = 1) {
    await this.press('Control+1');
    await this.ask('Control+G', `${line}:${column}`);
    await this.press('Enter');
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  /** Returns the visible lines with their numbers and whether they are underlined. */
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

  /** Returns the number of colours of the visible text. */
  colours() {
    const spans = this.page.locator('.editor-group-container.active .view-line span > span, .editor-instance .view-line span > span');
    return spans.evaluateAll(all => new Set(all.map(e => getComputedStyle(e).color)).size);
  }

  async underlined() {
    return (await this.lines()).filter(l => l.marked);
  }

  /** Waits until a squiggle is visible, or none, as soon as the page draws it. */
  squiggle(there) {
    const kinds = ['error', 'warning', 'info', 'hint'].map(k => `.editor-instance .squiggly-${k}`).join();
    return this.page.waitForFunction(([kinds, there]) => (document.querySelector(kinds) !== null) === there, [kinds, there]);
  }

  /** Returns the rows of the Problems view, including related places. */
  async problems() {
    if (!(await this.page.locator('.markers-panel').isVisible())) await this.press('Control+Shift+M');
    await this.page.locator('.markers-panel').waitFor();
    return this.page.locator('.markers-panel .monaco-list-row').evaluateAll(rows => rows.map(r => `${r.textContent} ${r.getAttribute('aria-label')}`));
  }

  /**
   * Returns the code actions at the cursor. VS Code closes the list when the problems in the file
   * change, as they do during fuzzing; this opens it again. A bulb shows that VS Code has asked for
   * the actions here: until then it drops the list that a key asks for.
   */
  fixes() {
    const rows = this.page.locator('.action-widget .monaco-list-row.action');
    const bulb = this.page.locator('.editor-instance [class*="gutter-lightbulb"], .editor-instance .lightBulbWidget').first();
    return until(async () => {
      if (!(await rows.first().isVisible())) {
        await bulb.waitFor({ timeout: patience / 90 }).catch(() => {}); // none comes back to an editor that was left
        await this.press('Control+.');
        await rows.first().waitFor({ timeout: patience / 12 }).catch(() => {});
      }
      const titles = await rows.allTextContents();
      return titles.length > 0 && titles;
    }, 'the actions');
  }

  /** Chooses an action, by key because the list is made anew when diagnostics change. */
  async fix(title) {
    const chosen = this.page.locator('.action-widget .monaco-list-row.action.focused', { hasText: title });
    await until(async () => {
      await this.fixes();
      if (!(await chosen.isVisible())) await this.press('ArrowDown');
      return chosen.isVisible();
    }, `the action ${title}`);
    await this.press('Enter');
  }

  /** Replaces the text of a line. */
  async replaceLine(line, text) {
    await this.goto(line);
    await this.press('Home');
    await this.press('Shift+End');
    await this.page.keyboard.insertText(text);
  }

  /**
   * Follows a link, the first one or that in a line with a text, until what it opens is visible. The page
   * marks the link that a click follows while Control is held. Lines move when they are unfolded, so the
   * click waits until the link rests and is the marked one. VS Code drops a click if the text scrolls or
   * changes between press and release; this clicks again.
   */
  async follow(text, opens, line = '') {
    const lines = this.page.locator('.view-line', { hasText: line.replaceAll(' ', '\u00a0') });
    const link = lines.locator('.detected-link, .detected-link-active', { hasText: text }).first();
    const marked = lines.locator('.detected-link-active', { hasText: text }).first();
    let last;
    const aimed = async () => {
      if (await opens.isVisible()) return 'opened'; // late, by a click before
      const box = await link.boundingBox({ timeout: patience / 60 }).catch(() => null); // none in what it opened
      const rests = box && last && box.x === last.x && box.y === last.y;
      last = box;
      if (rests && (await marked.isVisible())) return 'aimed';
      if (box) await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      return false;
    };
    await until(async () => {
      await this.page.keyboard.down('Control');
      if ((await until(aimed, `the link ${text} under the mouse`)) === 'aimed') {
        await this.page.mouse.down();
        await this.page.mouse.up();
      }
      await this.page.keyboard.up('Control');
      return opens.waitFor({ timeout: patience / 4 }).then(() => true, () => false);
    }, `what the link ${text} opens`);
  }

  /** Presses a button of the debugger's toolbar. */
  debugger(name) {
    return this.page.locator(`.debug-toolbar .action-label.codicon-debug-${name}`).click();
  }

  /** Waits until the innermost frame is at a place: a pattern of name, file and position. */
  frame(pattern) {
    return this.page.locator('.debug-call-stack .monaco-list-row', { hasText: new RegExp(pattern) }).first().waitFor();
  }

  /** Waits until a variable of a scope is shown with a value. The view may forget that the scope was expanded when it shows another frame. */
  variable(scope, name, value) {
    const rows = this.page.locator('.debug-variables .monaco-list-row');
    const outer = rows.filter({ hasText: new RegExp(`^${scope}$`) }).first();
    const inner = rows.filter({ hasText: new RegExp(`^${name} = ?${value}$`) }).first();
    const soon = { timeout: patience / 60 };
    return until(async () => {
      if (await inner.isVisible()) return true;
      if ((await outer.getAttribute('aria-expanded', soon).catch(() => 'true')) === 'false') await outer.click(soon).catch(() => {});
      await inner.waitFor(soon).catch(() => {});
      return inner.isVisible();
    }, `${name} = ${value} in ${scope}`);
  }

  /** Sets a data breakpoint on a variable. Its menu is opened again if the view, which changes after a stop, has closed it. */
  breakOnChange(name) {
    const row = this.page.locator('.debug-variables .monaco-list-row', { hasText: new RegExp(`^${name} =`) }).first();
    const menu = this.page.locator('.monaco-menu').first();
    const item = menu.locator('.action-label', { hasText: 'Break on Value Change' });
    const set = this.page.locator('.debug-breakpoints .monaco-list-row', { hasText: name }).first();
    const soon = { timeout: patience / 60 };
    return until(async () => {
      if (!(await menu.isVisible())) {
        if (await set.isVisible()) return true;
        await row.click({ button: 'right', ...soon }).catch(() => {});
        await menu.waitFor(soon).catch(() => {});
      } else if (await item.isVisible()) {
        await item.click(soon).catch(() => {});
        await set.waitFor(soon).catch(() => {});
      } else {
        await this.press('Escape');
      }
      return false;
    }, `a data breakpoint on ${name}`);
  }

  status(text) {
    return this.page.locator('.statusbar-item', { hasText: text }).first();
  }

  toast(text) {
    return this.page.locator('.notification-toast', { hasText: text }).first();
  }

  /** Returns the texts of all notifications. */
  async notifications() {
    await this.command('Notifications: Show Notifications');
    return this.page.locator('.notifications-center .notification-list-item-message').allTextContents();
  }

  async dismissToasts() {
    await this.command('Notifications: Clear All Notifications');
  }

  shot(file) {
    return this.page.screenshot({ path: file });
  }
}
