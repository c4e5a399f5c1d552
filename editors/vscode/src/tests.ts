// The Test Explorer's controller "Leveret".
import * as vscode from 'vscode';
import type { CoverageStore } from './coverage';
import { TestRuns, type Execute } from './testrun';
import { TestTree } from './testtree';

export function registerTests(store: CoverageStore, execute: Execute): { tree: TestTree; disposable: vscode.Disposable } {
  const controller = vscode.tests.createTestController('leveret', 'Leveret');
  const tree = new TestTree(controller);
  const runs = new TestRuns(controller, tree, store, execute);
  const listeners = vscode.Disposable.from(
    vscode.languages.onDidChangeDiagnostics(e => e.uris.forEach(uri => tree.refresh(uri))),
    vscode.workspace.onDidDeleteFiles(e => e.files.forEach(uri => tree.forget(uri))),
  );
  return { tree, disposable: vscode.Disposable.from(controller, runs, listeners) };
}
