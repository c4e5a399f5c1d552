// The item in the status bar, and the menu behind it.
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

  /** What the server tells. */
  show(status: Status) {
    this.say(status.text, status.busy, status.tooltip);
    this.item.backgroundColor = status.errors > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  }

  /** What the extension itself has to tell while there is no server. */
  say(text: string, busy = false, tooltip = '') {
    this.item.text = `${busy ? '$(loading~spin)' : '$(beaker)'} Leveret: ${text}`;
    this.item.tooltip = [`Leveret: ${text}`, tooltip, 'Click for what can be done.'].filter(Boolean).join('\n');
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
  { label: '$(pulse) Doctor', description: 'compilers, project, settings, and why something is not checked', command: 'leveret.doctor' },
  { label: '$(output) Output', command: 'leveret.showOutput' },
  { label: '$(gear) Settings', command: 'leveret.openSettings' },
  { label: '$(debug-restart) Restart the server', command: 'leveret.restart' },
  { label: '$(refresh) Restart the compilers', command: 'leveret.restartCompiler' },
  { label: '$(trash) Forget what was learnt', description: 'the inputs kept from earlier campaigns', command: 'leveret.clearCorpus' },
];

export async function showMenu() {
  const choice = await vscode.window.showQuickPick(choices, { title: 'Leveret', placeHolder: 'What now?' });
  if (choice) await vscode.commands.executeCommand(choice.command);
}
