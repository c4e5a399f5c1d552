// The commands: the server's, and those that run at the cursor.
import * as vscode from 'vscode';
import { ResponseError } from 'vscode-languageclient/node';
import type { Answers } from './answers';
import { findingsIn, oracleOf, type Finding } from './findings';
import type { Execute } from './testrun';

/** The server's commands. */
const ofServer = [
  'leveret.fuzz', 'leveret.stop', 'leveret.replay', 'leveret.exportTest', 'leveret.silence',
  'leveret.explain', 'leveret.copyWitness', 'leveret.clearCorpus', 'leveret.restartCompiler', 'leveret.installCompiler',
  'leveret.doctor', 'leveret.traceTest', 'leveret.debug', 'leveret.debugTest', 'leveret.debugLine',
];

export function registerCommands(execute: Execute, answers: Answers, output: vscode.LogOutputChannel): vscode.Disposable {
  /** Runs a command. The server shows its own errors. */
  const ask = async (command: string, ...args: unknown[]) => {
    try {
      await answers.take(command, await execute(command, ...args));
    } catch (error) {
      output.warn(`${command}: ${error}`);
      if (!(error instanceof ResponseError)) void vscode.window.showWarningMessage(`Leveret: ${error instanceof Error ? error.message : error}.`);
    }
  };
  const here = (title: string, command: string) =>
    vscode.commands.registerCommand(`${command}Here`, async () => {
      const finding = await findingHere(title);
      if (finding) await ask(command, finding.id);
    });
  return vscode.Disposable.from(
    ...ofServer.map(command => vscode.commands.registerCommand(command, (...args) => ask(command, ...args))),
    vscode.commands.registerCommand('leveret.fuzzFile', async () => {
      const document = vscode.window.activeTextEditor?.document;
      if (!document || !document.uri.path.endsWith('.sol')) {
        void vscode.window.showInformationMessage('Leveret: open a Solidity file first.');
        return;
      }
      await ask('leveret.fuzz', document.uri.toString());
    }),
    here('Replay', 'leveret.replay'),
    here('Add a regression test for', 'leveret.exportTest'),
    here('Debug', 'leveret.debug'),
    vscode.commands.registerCommand('leveret.openSettings', () => vscode.commands.executeCommand('workbench.action.openSettings', '@ext:leveret.leveret')),
  );
}

/** The finding on the cursor's line, else one that the user picks of the file's or, without a file, of all. */
async function findingHere(title: string): Promise<Finding | undefined> {
  const editor = vscode.window.activeTextEditor;
  const all = editor ? findingsIn(editor.document.uri, true) : vscode.languages.getDiagnostics().flatMap(([uri]) => findingsIn(uri));
  const near = all.filter(f => f.diagnostic.range.start.line === editor?.selection.active.line);
  const candidates = near.length > 0 ? near : all;
  if (candidates.length <= 1) {
    if (candidates.length === 0) void vscode.window.showInformationMessage(`Leveret: no findings${editor ? ' in this file' : ''}.`);
    return candidates[0];
  }
  const picked = await vscode.window.showQuickPick(
    candidates.map(finding => ({
      label: oracleOf(finding),
      description: `${vscode.workspace.asRelativePath(finding.uri)}:${finding.diagnostic.range.start.line + 1}`,
      detail: finding.diagnostic.message.split('\n')[0],
      finding,
    })),
    { title: `${title} which finding?` },
  );
  return picked?.finding;
}
