// The extension's entry point: connects the parts and starts the server.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { ActionCommands } from './actions';
import { Answers } from './answers';
import { registerCommands } from './commands';
import { CoverageStore, Gutter } from './coverage';
import { registerDebug } from './debug';
import { coverageMethod, statusMethod, symbolStatusMethod, type Coverage, type Status, type SymbolStatuses } from './protocol';
import { Server } from './server';
import { showMenu, StatusItem } from './status';
import { registerTests } from './tests';
import { registerTrace } from './trace';

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext) {
  const output = vscode.window.createOutputChannel('Leveret', { log: true });
  const status = new StatusItem();
  const store = new CoverageStore();
  const answers = new Answers();
  const actions = new ActionCommands();
  const gutter = new Gutter(store, context.workspaceState);
  const execute = (command: string, ...args: unknown[]) => running.execute(command, ...args);
  const tests = registerTests(store, execute);
  const running = new Server(context.extensionPath, output, status, actions, (client: LanguageClient) => {
    client.onNotification(statusMethod, (params: Status) => status.show(params));
    client.onNotification(symbolStatusMethod, (params: SymbolStatuses) => tests.tree.take(params));
    client.onNotification(coverageMethod, (params: Coverage) => store.take(params));
  });
  server = running;
  context.subscriptions.push(
    output, status, store, answers, actions, gutter, tests.disposable, registerTrace(), registerCommands(execute, answers, output),
    registerDebug(context.extensionPath, execute, tests.tree, output),
    vscode.commands.registerCommand('leveret.menu', showMenu),
    vscode.commands.registerCommand('leveret.showOutput', () => output.show()),
    vscode.commands.registerCommand('leveret.restart', () => running.restart()),
    vscode.commands.registerCommand('leveret.toggleCoverage', () => gutter.toggle()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => running.restart()),
    vscode.workspace.onDidChangeConfiguration(e => e.affectsConfiguration('leveret.path') && void running.restart()),
  );
  await running.start();
}

export async function deactivate() {
  await server?.stop();
}
