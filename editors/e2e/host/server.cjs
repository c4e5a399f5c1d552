// Which server runs, and what is told when it does not.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** The processes that run below this one's, by the file of their program. */
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

/** Waits until the one server that runs is the program, and knows the finding. */
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
    await until(() => seen.told.some(t => t.includes('`leveret` was not found')), 'the user is told that there is no server');
    assert.match(seen.items[0].text, /not installed/);
    await vscode.commands.executeCommand('leveret.doctor');
    assert.match(seen.told.at(-1), /the server is not running/);
  },

  async restored(s) {
    await s.vscode.workspace.getConfiguration('leveret').update('path', undefined, s.vscode.ConfigurationTarget.Workspace);
    await serves(s, s.bundled);
    fs.rmSync(s.home, { recursive: true, force: true });
  },

  async killed(s) {
    const [{ pid }] = servers();
    process.kill(pid, 'SIGKILL');
    await s.until(() => s.seen.told.some(t => t.includes('was restarted')), 'the user is told');
    await serves(s, s.bundled, pid);
    await s.until(() => !s.wallet.busy && !s.finish.busy, 'nothing is shown as running');
  },

  // One that does not live is left alone in the end.
  async hopeless({ until, seen }) {
    const given = () => seen.told.some(t => t.includes('ended repeatedly'));
    const killed = new Set();
    await until(() => {
      for (const { pid } of servers().filter(one => !killed.has(one.pid))) {
        killed.add(pid);
        process.kill(pid, 'SIGKILL');
      }
      return given();
    }, 'the user is told that it is given up');
    assert.ok(killed.size >= 3, `${killed.size} deaths besides the first`);
    await until(() => servers().length === 0, 'no server runs');
  },

  async doctor({ vscode, until, seen }) {
    await vscode.commands.executeCommand('leveret.restart');
    await until(() => servers().length === 1 && /ready|finding/.test(seen.items[0].text), 'a server that was asked for');
    await vscode.commands.executeCommand('leveret.doctor');
    const shown = await until(() => vscode.window.visibleTextEditors.find(e => e.document.uri.scheme === 'leveret-answer'), "the doctor's report");
    assert.match(shown.document.getText(), /solc/);
  },
};
