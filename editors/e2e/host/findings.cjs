// What the extension declares in its manifest, and how it shows a finding.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');

/** Returns the commands that a text of the walkthrough links to. */
const linked = text => [...text.matchAll(/\(command:([\w.]+)/g)].map(m => m[1]);

module.exports = {
  async opened(s) {
    const { vscode, until, seen } = s;
    s.extension = vscode.extensions.getExtension('leveret.leveret');
    assert.equal(s.extension.isActive, false, 'inactive before a Solidity file is open');
    const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
    s.file = vscode.Uri.file(path.join(folder, 'src/Wallet.sol'));
    fs.copyFileSync(process.env.WALLET, s.file.fsPath);
    s.faulty = fs.readFileSync(s.file.fsPath, 'utf8').split('\n').findIndex(l => l.includes('assert('));
    s.ours = () => vscode.languages.getDiagnostics(s.file).filter(d => d.source === 'leveret');
    await vscode.window.showTextDocument(s.file);
    await until(() => s.extension.isActive, 'the extension is active');
    await until(() => s.ours().length > 0, 'a finding');
    await until(() => seen.items.some(i => i.text.includes('Leveret: 1 finding')), 'the finding in the status bar');
  },

  async diagnostic({ ours, faulty, file }) {
    const [d] = ours();
    assert.equal(d.range.start.line, faulty);
    assert.equal(d.code.value, 'assertion');
    assert.match(d.message, /^this assertion can fail: .*finish\(\)$/, 'the message names the last call only');
    const calls = d.relatedInformation.map(r => `${r.location.range.start.line + 1} ${r.message}`);
    assert.match(calls[0], /^8 1\. .*begin\(31337\)/);
    assert.match(calls[1], /^17 2\. .*finish\(\)/);
    assert.ok(d.relatedInformation.every(r => r.location.uri.toString() === file.toString()));
  },

  // Inlay hints are off by default.
  async hints({ vscode, until, file, faulty }) {
    const shown = () => vscode.commands.executeCommand('vscode.executeInlayHintProvider', file, new vscode.Range(0, 0, faulty + 1, 0));
    assert.deepEqual(await shown(), []);
    const setting = on => vscode.workspace.getConfiguration('leveret').update('inlayHints', on, vscode.ConfigurationTarget.Workspace);
    await setting(true);
    const [hint] = await until(async () => {
      const all = await shown();
      return all.length > 0 && all;
    }, 'hints');
    assert.equal(`${hint.position.line}${hint.label}`, `${faulty} = 1`, 'what step was when the assertion failed');
    await setting(undefined);
  },

  async status({ seen }) {
    const [item, ...more] = seen.items;
    assert.equal(more.length, 0, 'one item in the status bar');
    assert.equal(item.command, 'leveret.menu');
    assert.match(item.text, /Leveret: 1 finding/);
    assert.match(item.tooltip, /Click for a menu/);
  },

  async commands({ vscode, extension }) {
    const known = new Set(await vscode.commands.getCommands(true));
    for (const { command } of extension.packageJSON.contributes.commands) assert.ok(known.has(command), `${command} is nobody's`);
  },

  // VS Code forgets arguments and what is to be resolved if it lists the actions anew while a chosen one waits.
  async actions({ vscode, until, file, faulty }) {
    const list = () => vscode.commands.executeCommand('vscode.executeCodeActionProvider', file, new vscode.Range(faulty, 0, faulty, 0));
    const all = await list();
    for (const action of all) {
      assert.ok(!action.command?.arguments?.length, `${action.title} has arguments`);
      assert.ok(action.command || action.edit.size > 0, `${action.title} does nothing`);
    }
    assert.ok(all.some(a => a.title.startsWith('Silence here')));
    await list();
    const copy = all.find(a => a.title.startsWith('Copy witness'));
    await vscode.commands.executeCommand(copy.command.command);
    await until(async () => (await vscode.env.clipboard.readText()).includes('31337'), 'the witness in the clipboard');
  },

  async walkthrough({ vscode, extension }) {
    const known = new Set(await vscode.commands.getCommands(true));
    const [welcome] = extension.packageJSON.contributes.walkthroughs;
    assert.deepEqual(welcome.steps.map(s => s.id), ['program', 'save', 'replay', 'coverage']);
    for (const step of welcome.steps) {
      for (const command of linked(step.description)) assert.ok(known.has(command), `${step.id} links to ${command}, which is nobody's`);
      const file = Object.values(step.media)[0];
      assert.ok(fs.statSync(path.join(extension.extensionPath, file)).size > 0, file);
    }
  },

  async trace({ vscode, until, ours, file, faulty }) {
    const editor = vscode.window.activeTextEditor;
    editor.selection = new vscode.Selection(faulty, 0, faulty, 0);
    await vscode.commands.executeCommand('leveret.replayHere');
    const shown = await until(() => vscode.window.visibleTextEditors.find(e => e.document.languageId === 'leveret-trace'), 'the trace');
    const { document } = shown;
    assert.equal(document.uri.scheme, 'leveret', 'the trace is a virtual document');
    assert.ok(document.getText().includes('begin(code: 31337)'), document.getText());
    const links = await until(async () => {
      const all = await vscode.commands.executeCommand('vscode.executeLinkProvider', document.uri);
      return all.length > 0 && all;
    }, 'links in the trace');
    const places = links.map(l => `${path.basename(l.target.path)}#${l.target.fragment}`);
    for (const line of [8, 17, faulty + 1]) assert.ok(places.some(p => p.startsWith(`Wallet.sol#L${line}`) || p.startsWith(`Wallet.sol#${line}`)), `a link to line ${line} among ${places}`);
    const elsewhere = links.filter(l => l.target.scheme === 'file' && l.target.fsPath !== file.fsPath);
    assert.deepEqual(elsewhere.map(l => l.target.toString()), [], 'links that lead to no contract');
    const folds = await vscode.commands.executeCommand('vscode.executeFoldingRangeProvider', document.uri);
    const transaction = document.getText().split('\n').findIndex(l => l.includes('begin(code: 31337)'));
    assert.ok(folds.some(f => f.start === transaction && f.end > f.start), `the transaction at ${transaction} folds: ${JSON.stringify(folds)}\n${document.getText()}`);
    assert.equal(ours().length, 1);
    await vscode.window.showTextDocument(file);
  },
};
