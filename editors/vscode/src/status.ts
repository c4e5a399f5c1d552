// The item in the status bar and its menu.
import * as vscode from 'vscode';
import type { Status } from './protocol';

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('leveret.status', vscode.StatusBarAlignment.Left, 10);

  constructor() {
    this.item.name = 'Leveret';
    this.item.command = 'leveret.menu';
    this.say('starting', true);
    this.item.show();
  }

  /** Shows the server's status. */
  show(status: Status) {
    this.say(status.text, status.busy, status.tooltip);
    this.item.backgroundColor = status.errors > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  }

  /** Shows a status of the extension. */
  say(text: string, busy = false, tooltip = '') {
    this.item.text = `${busy ? '$(loading~spin)' : '$(beaker)'} Leveret: ${text}`;
    this.item.tooltip = [`Leveret: ${text}`, tooltip, 'Click for a menu.'].filter(Boolean).join('\n');
    this.item.backgroundColor = undefined;
  }

  dispose() {
    this.item.dispose();
  }
}

interface Choice extends vscode.QuickPickItem {
  command: string;
}

const choices: Choice[] = [
  { label: '$(beaker) Fuzz this file', command: 'leveret.fuzzFile' },
  { label: '$(debug-stop) Stop fuzzing', command: 'leveret.stop' },
  { label: '$(bug) Findings', description: 'the Problems view', command: 'workbench.actions.view.problems' },
  { label: '$(symbol-ruler) Show or hide coverage', command: 'leveret.toggleCoverage' },
  { label: '$(pulse) Doctor', description: 'compilers, project, settings, and why a contract is not fuzzed', command: 'leveret.doctor' },
  { label: '$(output) Output', command: 'leveret.showOutput' },
  { label: '$(gear) Settings', command: 'leveret.openSettings' },
  { label: '$(debug-restart) Restart the server', command: 'leveret.restart' },
  { label: '$(refresh) Restart the compilers', command: 'leveret.restartCompiler' },
  { label: '$(trash) Clear corpus', description: 'delete the inputs saved by earlier campaigns', command: 'leveret.clearCorpus' },
];

export async function showMenu() {
  const choice = await vscode.window.showQuickPick(choices, { title: 'Leveret', placeHolder: 'Select a command' });
  if (choice) await vscode.commands.executeCommand(choice.command);
}
