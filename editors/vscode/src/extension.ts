// The extension's door: it puts the parts together and starts the server.
import * as vscode from 'vscode';
import { State, type LanguageClient } from 'vscode-languageclient/node';
import { Answers } from './answers';
import { findBinary } from './binary';
import { createClient } from './client';
import { registerCommands } from './commands';
import { CoverageStore, Gutter } from './coverage';
import { coverageMethod, statusMethod, symbolStatusMethod, type Coverage, type Status, type SymbolStatuses } from './protocol';
import { showMenu, StatusItem } from './status';
import { registerTests } from './tests';
import type { TestTree } from './testtree';
import { registerTrace } from './trace';

let leveret: Leveret | undefined;

export async function activate(context: vscode.ExtensionContext) {
  leveret = new Leveret(context);
  context.subscriptions.push(leveret);
  await leveret.start();
}

export async function deactivate() {
  await leveret?.stop();
}

class Leveret implements vscode.Disposable {
  private readonly output = vscode.window.createOutputChannel('Leveret', { log: true });
  private readonly status = new StatusItem();
  private readonly store = new CoverageStore();
  private readonly answers = new Answers();
  private readonly gutter: Gutter;
  private readonly tree: TestTree;
  private readonly parts: vscode.Disposable;
  private client: LanguageClient | undefined;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.gutter = new Gutter(this.store, context.workspaceState);
    const execute = (command: string, ...args: unknown[]) => this.execute(command, args);
    const tests = registerTests(this.store, execute);
    this.tree = tests.tree;
    this.parts = vscode.Disposable.from(
      this.output, this.status, this.store, this.answers, this.gutter, tests.disposable, registerTrace(), registerCommands(execute),
      vscode.commands.registerCommand('leveret.menu', showMenu),
      vscode.commands.registerCommand('leveret.showOutput', () => this.output.show()),
      vscode.commands.registerCommand('leveret.restart', () => this.restart()),
      vscode.commands.registerCommand('leveret.toggleCoverage', () => this.gutter.toggle()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.restart()),
      vscode.workspace.onDidChangeConfiguration(e => e.affectsConfiguration('leveret.path') && void this.restart()),
    );
  }

  async start() {
    const program = this.program();
    if (!program) return;
    const client = createClient(program, this.output, (command, _, result) => this.answers.take(command, result));
    this.client = client;
    client.onNotification(statusMethod, (status: Status) => this.status.show(status));
    client.onNotification(symbolStatusMethod, (statuses: SymbolStatuses) => this.tree.take(statuses));
    client.onNotification(coverageMethod, (coverage: Coverage) => this.store.take(coverage));
    client.onDidChangeState(e => {
      if (e.newState === State.Starting) this.status.say('starting', true);
      if (e.newState === State.Stopped) this.status.say('stopped');
      if (e.newState === State.Running) this.status.say('ready');
    });
    this.output.info(`the server is ${program}`);
    try {
      await client.start();
    } catch (error) {
      this.status.say('not running');
      this.output.error(String(error));
      void this.complain(`Leveret: ${program} could not be started.`);
    }
  }

  async stop() {
    const client = this.client;
    this.client = undefined;
    if (client?.needsStop()) await client.stop().catch(error => this.output.warn(String(error)));
    await client?.dispose().catch(error => this.output.warn(String(error)));
  }

  private async restart() {
    await this.stop();
    await this.start();
  }

  /** The server's program; says so if there is none. */
  private program(): string | undefined {
    const found = findBinary({
      setting: vscode.workspace.getConfiguration('leveret').get('path', ''),
      search: process.env.PATH ?? '',
      extension: this.context.extensionPath,
    });
    if (!found.path) {
      this.status.say('not installed', false, 'The program `leveret` was not found.');
      this.output.warn(`no leveret found, looked at:\n${found.tried.join('\n')}`);
      void this.complain('Leveret: the program `leveret` was not found. Put it into PATH, or tell where it is in the setting "leveret.path".');
    }
    return found.path;
  }

  private async complain(message: string) {
    const choice = await vscode.window.showErrorMessage(message, 'Open Settings', 'Show Output');
    if (choice === 'Open Settings') await vscode.commands.executeCommand('workbench.action.openSettings', 'leveret.path');
    if (choice === 'Show Output') this.output.show();
  }

  /** Has the server run one of its commands. */
  private async execute(command: string, args: unknown[]): Promise<unknown> {
    if (!this.client?.isRunning()) {
      void vscode.window.showWarningMessage('Leveret: the server does not run.');
      throw new Error('the server does not run');
    }
    return vscode.commands.executeCommand(command, ...args);
  }

  dispose() {
    this.parts.dispose();
  }
}
