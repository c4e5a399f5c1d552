// Which server runs, and the messages to the user when none runs.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** Returns the server processes that are children of this process. */
function servers() {
  return fs.readdirSync('/proc').filter(pid => /^\d+$/.test(pid)).flatMap(pid => {
    try {
      const parent = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1];
      const program = fs.readlinkSync(`/proc/${pid}/exe`);
      return Number(parent) === process.pid && path.basename(program) === 'leveret' ? [{ pid: Number(pid), program }] : [];
    } catch {
      return [];
    }
  });
}

/** Waits until the program is the only server and shows the finding. */
async function serves({ until, ours, seen }, program, not) {
  await until(() => {
    const [one, ...more] = servers();
    return one && more.length === 0 && one.program === program && one.pid !== not;
  }, `${program} runs`);
  await until(() => ours().length === 1 && seen.items[0].text.includes('1 finding'), 'the finding of the server');
}

module.exports = {
  async bundled(s) {
    s.bundled = path.join(s.extension.extensionPath, 'bin', `${process.platform}-${process.arch}`, 'leveret');
    await serves(s, s.bundled);
  },

  async search(s) {
    s.home = fs.mkdtempSync(path.join(os.tmpdir(), 'leveret-path-'));
    const program = path.join(s.home, 'leveret'), before = process.env.PATH;
    fs.copyFileSync(s.bundled, program);
    process.env.PATH = `${s.home}${path.delimiter}${before}`;
    await s.vscode.commands.executeCommand('leveret.restart');
    await serves(s, program);
    process.env.PATH = before;
  },

  async setting(s) {
    const folder = path.join(s.home, 'other'), program = path.join(folder, 'leveret');
    fs.mkdirSync(folder);
    fs.copyFileSync(s.bundled, program);
    await s.vscode.workspace.getConfiguration('leveret').update('path', program, s.vscode.ConfigurationTarget.Workspace);
    await serves(s, program);
  },

  async missing({ vscode, until, seen, home }) {
    await vscode.workspace.getConfiguration('leveret').update('path', path.join(home, 'nowhere'), vscode.ConfigurationTarget.Workspace);
    await until(() => servers().length === 0, 'no server runs');
    await until(() => seen.messages.some(t => t.includes('`leveret` was not found')), 'the message that there is no server');
    assert.match(seen.items[0].text, /not installed/);
    await vscode.commands.executeCommand('leveret.doctor');
    assert.match(seen.messages.at(-1), /the server is not running/);
  },

  async restored(s) {
    await s.vscode.workspace.getConfiguration('leveret').update('path', undefined, s.vscode.ConfigurationTarget.Workspace);
    await serves(s, s.bundled);
    fs.rmSync(s.home, { recursive: true, force: true });
  },

  async killed(s) {
    const [{ pid }] = servers();
    process.kill(pid, 'SIGKILL');
    await s.until(() => s.seen.messages.some(t => t.includes('was restarted')), 'the message about the restart');
    await serves(s, s.bundled, pid);
    await s.until(() => !s.wallet.busy && !s.finish.busy, 'nothing is shown as running');
  },

  // The extension stops restarting a server that keeps dying.
  async crashing({ until, seen }) {
    const gaveUp = () => seen.messages.some(t => t.includes('ended repeatedly'));
    const killed = new Set();
    await until(() => {
      for (const { pid } of servers().filter(one => !killed.has(one.pid))) {
        killed.add(pid);
        process.kill(pid, 'SIGKILL');
      }
      return gaveUp();
    }, 'the message that the server ended repeatedly');
    assert.ok(killed.size >= 3, `${killed.size} deaths besides the first`);
    await until(() => servers().length === 0, 'no server runs');
  },

  // A server that ends while it is started is restarted up to the same limit.
  async dying({ vscode, until, seen }) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'leveret-dying-'));
    const program = path.join(folder, 'leveret'), starts = path.join(folder, 'starts');
    fs.writeFileSync(program, `#!/bin/sh\nexec 0<&-\necho >>'${starts}'\nsleep 1\n`, { mode: 0o755 });
    seen.messages.length = 0;
    const settings = vscode.workspace.getConfiguration('leveret');
    await settings.update('path', program, vscode.ConfigurationTarget.Workspace);
    await until(() => seen.messages.some(t => t.includes('ended repeatedly')), 'the message that the server ended repeatedly');
    assert.equal(fs.readFileSync(starts, 'utf8').length, 5);
    await settings.update('path', undefined, vscode.ConfigurationTarget.Workspace);
    fs.rmSync(folder, { recursive: true, force: true });
  },

  async doctor({ vscode, until, seen }) {
    await vscode.commands.executeCommand('leveret.restart');
    await until(() => servers().length === 1 && /ready|finding/.test(seen.items[0].text), 'the restarted server');
    await vscode.commands.executeCommand('leveret.doctor');
    const shown = await until(() => vscode.window.visibleTextEditors.find(e => e.document.uri.scheme === 'leveret-answer'), "the doctor's report");
    assert.match(shown.document.getText(), /solc/);
  },
};
