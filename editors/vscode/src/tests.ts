// The Test Explorer's controller "Leveret".
import * as vscode from 'vscode';
import type { CoverageStore } from './coverage';
import { TestRuns, type Execute } from './testrun';
import { TestTree } from './testtree';

/** Files of Foundry's tests, but for those of dependencies and of the compiler's output. */
const tests = '**/*.t.sol', others = '**/{lib,node_modules,dependencies,out,cache}/**';
const maxFiles = 2000;

export function registerTests(store: CoverageStore, execute: Execute): { tree: TestTree; disposable: vscode.Disposable } {
  const controller = vscode.tests.createTestController('leveret', 'Leveret');
  const tree = new TestTree(controller);
  const runs = new TestRuns(controller, tree, store, execute);
  const found = async () => (await vscode.workspace.findFiles(tests, others, maxFiles)).forEach(uri => tree.add(uri));
  // The server compiles the files that are open.
  controller.resolveHandler = async item => void (await (item?.uri ? vscode.workspace.openTextDocument(item.uri) : found()));
  controller.refreshHandler = found;
  const watcher = vscode.workspace.createFileSystemWatcher('**/*.sol', true, true, false);
  const listeners = vscode.Disposable.from(
    watcher,
    watcher.onDidDelete(uri => tree.forget(uri)),
    vscode.languages.onDidChangeDiagnostics(e => e.uris.forEach(uri => tree.refresh(uri))),
  );
  return { tree, disposable: vscode.Disposable.from(controller, runs, listeners) };
}
