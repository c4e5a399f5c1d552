// The debug type "leveret": what starts the adapter, and configurations without a launch.json.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { findingsIn, oracleOf } from './findings';
import { findProgram } from './program';
import type { Execute } from './testrun';
import type { TestTree } from './testtree';

export const debugType = 'leveret';

export function registerDebug(extension: string, execute: Execute, tree: TestTree, output: vscode.LogOutputChannel): vscode.Disposable {
  const configurations = new Configurations(execute, tree, output);
  return vscode.Disposable.from(
    vscode.debug.registerDebugAdapterDescriptorFactory(debugType, { createDebugAdapterDescriptor: session => adapter(extension, session, output) }),
    vscode.debug.registerDebugConfigurationProvider(debugType, configurations),
    vscode.debug.registerDebugConfigurationProvider(debugType, { provideDebugConfigurations: () => configurations.list() }, vscode.DebugConfigurationProviderTriggerKind.Dynamic),
  );
}

/** Debugs what the server's command leveret.debug or leveret.debugTest returned. */
export function startDebugging(launch: vscode.DebugConfiguration, options: vscode.DebugSessionOptions = {}): Thenable<boolean> {
  const file = launch.path ? vscode.Uri.file(launch.path) : vscode.window.activeTextEditor?.document.uri;
  const folder = (file && vscode.workspace.getWorkspaceFolder(file)) ?? vscode.workspace.workspaceFolders?.[0];
  return vscode.debug.startDebugging(folder, launch, options);
}

/** The adapter is the extension's own program, never one that the workspace chooses. */
function adapter(extension: string, session: vscode.DebugSession, output: vscode.LogOutputChannel): vscode.DebugAdapterExecutable {
  if (!vscode.workspace.isTrusted) throw new Error('Leveret debugs in trusted workspaces only');
  const { path: program } = findProgram(extension);
  if (!program) throw new Error('the program `leveret` was not found; put it into PATH or set "leveret.path"');
  const settings = vscode.workspace.getConfiguration('leveret', session.workspaceFolder?.uri);
  const args = ['dap'];
  if (settings.get('solc.settings') !== 'project') args.push('--fast');
  if (settings.get('solc.path', '') !== '') args.push('--solc', settings.get('solc.path', ''));
  if (settings.get('ffi') === true) args.push('--ffi');
  output.info(`the debug adapter is ${program} ${args.join(' ')}`);
  return new vscode.DebugAdapterExecutable(program, args, session.workspaceFolder && { cwd: session.workspaceFolder.uri.fsPath });
}

interface Choice extends vscode.QuickPickItem {
  configuration: vscode.DebugConfiguration;
}

/** Completes configurations, and makes those of F5 without a launch.json. */
class Configurations implements vscode.DebugConfigurationProvider {
  constructor(private readonly execute: Execute, private readonly tree: TestTree, private readonly output: vscode.LogOutputChannel) {}

  async resolveDebugConfiguration(folder: vscode.WorkspaceFolder | undefined, configuration: vscode.DebugConfiguration) {
    if (!configuration.type && !configuration.request) {
      const picked = await this.pick();
      if (!picked) return undefined; // F5 does nothing
      configuration = picked;
    }
    for (const key of ['path', 'report']) {
      const file: unknown = configuration[key];
      if (typeof file === 'string' && file !== '' && folder) configuration[key] = path.resolve(folder.uri.fsPath, file);
    }
    return configuration;
  }

  /** A finding that the server knows comes from the server, else from the last run of the command. */
  async resolveDebugConfigurationWithSubstitutedVariables(_folder: vscode.WorkspaceFolder | undefined, configuration: vscode.DebugConfiguration) {
    const { finding, report } = configuration;
    if (typeof finding !== 'string' || report) return configuration;
    const known = vscode.languages.getDiagnostics().some(([uri]) => findingsIn(uri).some(f => f.id === finding));
    if (!known) return configuration;
    try {
      const launch = (await this.execute('leveret.debug', finding)) as vscode.DebugConfiguration;
      return { ...launch, ...configuration, report: launch.report };
    } catch (error) {
      this.output.warn(`leveret.debug: ${error}`); // the server has shown it
      return undefined;
    }
  }

  /** The findings and tests of the active file, else of all files. */
  list(): vscode.DebugConfiguration[] {
    const active = vscode.window.activeTextEditor?.document.uri;
    const here = active ? this.choices(active) : [];
    const all = here.length > 0 ? here : vscode.workspace.textDocuments.flatMap(d => this.choices(d.uri));
    return all.map(c => c.configuration);
  }

  private choices(uri: vscode.Uri): Choice[] {
    const launch = (name: string, more: object) => ({ type: debugType, request: 'launch', name, ...more });
    const findings = findingsIn(uri).map(f => {
      const line = f.diagnostic.range.start.line + 1;
      const name = `${oracleOf(f)} at ${vscode.workspace.asRelativePath(uri)}:${line}`;
      return { label: `$(bug) ${oracleOf(f)}`, description: `line ${line}`, detail: f.diagnostic.message.split('\n')[0], configuration: launch(name, { finding: f.id }) };
    });
    const tests = (this.tree.of(uri)?.symbols ?? []).filter(s => s.test).map(s => ({
      label: `$(beaker) ${s.name}`, description: s.test!.status, detail: undefined,
      configuration: launch(s.name, { test: s.name, path: uri.fsPath }),
    }));
    return [...findings, ...tests];
  }

  private async pick(): Promise<vscode.DebugConfiguration | undefined> {
    const active = vscode.window.activeTextEditor?.document;
    const choices = active?.languageId === 'solidity' ? this.choices(active.uri) : [];
    if (choices.length === 0) {
      void vscode.window.showInformationMessage('Leveret: nothing to debug here: no findings and no tests in this file. Fuzz it first.');
      return undefined;
    }
    const picked = choices.length === 1 ? choices[0] : await vscode.window.showQuickPick(choices, { title: 'Debug which finding or test?' });
    return picked?.configuration;
  }
}
