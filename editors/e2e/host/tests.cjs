// Tests of Foundry in the Testing view: found without being opened, run, traced.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { children, named, runs, stopped } = require('./profiles.cjs');

const text = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Wallet} from "../src/Wallet.sol";

contract WalletTest {
    bool public constant IS_TEST = true;
    Wallet private wallet = new Wallet();

    function testAdds() external {
        wallet.add(5);
        assert(wallet.total() == 5);
        address(0x000000000000000000636F6e736F6c652e6c6f67).staticcall(abi.encodeWithSignature("log(string)", "added"));
    }

    function testLimit(uint16 amount) external {
        wallet.add(amount);
    }
}
`;
const tree = seen => {
  const all = [];
  seen.controllers[0].items.forEach(i => all.push(i));
  return all;
};
const tests = (s, name) => named(children(named(children(named(tree(s.seen), 'Wallet.t.sol')), 'WalletTest')), name);

module.exports = {
  // The view lists test files; opening one in the tree shows its tests.
  async discovered(s) {
    const { vscode, until, seen, file } = s;
    s.tests = vscode.Uri.file(path.join(path.dirname(file.fsPath), '../test/Wallet.t.sol'));
    fs.mkdirSync(path.dirname(s.tests.fsPath), { recursive: true });
    fs.writeFileSync(s.tests.fsPath, text);
    await until(async () => {
      await seen.controllers[0].resolveHandler();
      return named(tree(seen), 'Wallet.t.sol');
    }, 'the file of tests');
    const item = named(tree(seen), 'Wallet.t.sol');
    assert.ok(item.canResolveChildren && item.description === 'test');
    await seen.controllers[0].resolveHandler(item);
    await until(() => ['testAdds', 'testLimit'].every(name => /passed|failed/.test(tests(s, name)?.description)), 'the results of the tests');
  },

  async ran(s) {
    const [run] = await runs(s, 'Run', new s.vscode.TestRunRequest([tests(s, 'testAdds')]));
    assert.deepEqual(run.passed.map(p => p.item.label), ['testAdds']);
    assert.ok(run.passed[0].messages[0] >= 0, 'its time');
    assert.match(run.output.join(''), /testAdds: passed.*\r\n {2}added/);
  },

  async failed(s) {
    const [run] = await runs(s, 'Run', new s.vscode.TestRunRequest([named(tree(s.seen), 'Wallet.t.sol')]));
    assert.deepEqual(run.failed.map(f => f.item.label), ['test', 'testLimit', 'WalletTest', 'Wallet.t.sol']);
    const [message] = run.failed.find(f => f.item.label === 'testLimit').messages;
    assert.match(String(message.message), /testLimit fails: too much\n[^]*testLimit\(\d+\)/, 'the counterexample');
    assert.ok(run.failed.find(f => f.item.label === 'testLimit').messages[0].stackTrace.length >= 2);
    const inWallet = s.ours().find(d => d.message.includes('testLimit fails'));
    assert.equal(inWallet.severity, s.vscode.DiagnosticSeverity.Information);
    assert.equal(inWallet.range.start.line, 12, 'the requirement in the source');
  },

  // The trace of a test that passed, and of one that failed.
  async traced(s) {
    const { vscode, until } = s;
    for (const [name, result, part] of [['testAdds', 'passed', 'Wallet.add(amount: 5)'], ['testLimit', 'failed', 'too much']]) {
      const [run] = await runs(s, 'Trace', new vscode.TestRunRequest([tests(s, name)]));
      assert.equal(run[result].length, 1, name);
      const document = await until(() => {
        const shown = vscode.window.activeTextEditor?.document;
        return shown?.languageId === 'leveret-trace' && shown.getText().includes(name) && shown;
      }, `the trace of ${name}`);
      assert.ok(document.getText().includes(part), document.getText());
    }
  },

  // A test is debugged from setUp on, one that fails up to its failure.
  async debugged(s) {
    const { vscode, until } = s;
    for (const [name, result, top] of [['testLimit', 'failed', 'WalletTest.testLimit'], ['testAdds', 'passed', 'WalletTest.testAdds']]) {
      const running = runs(s, 'Debug', new vscode.TestRunRequest([tests(s, name)]));
      const stack = await stopped(s);
      assert.equal(stack[0].name, top, name);
      await vscode.debug.stopDebugging(vscode.debug.activeDebugSession);
      const [run] = await running;
      assert.equal(run[result].length, 1, name);
      await until(() => !vscode.debug.activeDebugSession, 'the end of the session');
    }
  },

  async corrected(s) {
    const { vscode, until, seen } = s;
    const document = await vscode.workspace.openTextDocument(s.tests);
    const edit = new vscode.WorkspaceEdit(), at = document.getText().indexOf('wallet.add(amount)');
    edit.insert(s.tests, document.positionAt(at), 'if (amount < 1000) ');
    await vscode.workspace.applyEdit(edit);
    await document.save();
    await until(() => /^passed/.test(tests(s, 'testLimit')?.description), 'all tests pass');
    await until(() => s.ours().length === 1 && seen.items[0].text.includes('1 finding'), 'no other finding');
    fs.rmSync(s.tests.fsPath);
    await until(() => !named(tree(seen), 'Wallet.t.sol'), 'the deleted file leaves the tree');
    await vscode.window.showTextDocument(s.file);
  },
};
