// The commands of the palette that need more than passing a call to the server.
import * as vscode from 'vscode';
import { findingsIn, oracleOf, type Finding } from './findings';
import type { Execute } from './testrun';

export function registerCommands(execute: Execute): vscode.Disposable {
  const here = (title: string, command: string) =>
    vscode.commands.registerCommand(`${command}Here`, async () => {
      const finding = await findingHere(title);
      if (finding) await execute(command, finding.id);
    });
  return vscode.Disposable.from(
    vscode.commands.registerCommand('leveret.fuzzFile', async () => {
      const document = vscode.window.activeTextEditor?.document;
      if (!document || !document.uri.path.endsWith('.sol')) {
        void vscode.window.showInformationMessage('Leveret: open a Solidity file first.');
        return;
      }
      await execute('leveret.fuzz', document.uri.toString());
    }),
    here('Replay', 'leveret.replay'),
    here('Add a regression test for', 'leveret.exportTest'),
    vscode.commands.registerCommand('leveret.openSettings', () => vscode.commands.executeCommand('workbench.action.openSettings', '@ext:leveret.leveret')),
  );
}

/** The finding at the cursor, or one that the user picks. */
async function findingHere(title: string): Promise<Finding | undefined> {
  const editor = vscode.window.activeTextEditor;
  const all = editor ? findingsIn(editor.document.uri) : [];
  const near = all.filter(f => f.diagnostic.range.start.line === editor!.selection.active.line);
  const candidates = near.length > 0 ? near : all;
  if (candidates.length <= 1) {
    if (candidates.length === 0) void vscode.window.showInformationMessage('Leveret: there are no findings in this file.');
    return candidates[0];
  }
  const picked = await vscode.window.showQuickPick(
    candidates.map(finding => ({
      label: oracleOf(finding),
      description: `line ${finding.diagnostic.range.start.line + 1}`,
      detail: finding.diagnostic.message.split('\n')[0],
      finding,
    })),
    { title: `${title} which finding?` },
  );
  return picked?.finding;
}
