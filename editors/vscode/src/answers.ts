// Shows the results of the server's commands.
import * as vscode from 'vscode';
import { startDebugging } from './debug';

const scheme = 'leveret-answer';

/** The commands that return a launch configuration. */
const debugs = ['leveret.debug', 'leveret.debugTest', 'leveret.debugLine'];

export class Answers implements vscode.Disposable {
  private report = '';
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: this.changed.event,
    provideTextDocumentContent: () => this.report,
  });

  /** Handles the result of a command. The server itself shows all others. */
  async take(command: string, result: unknown) {
    if (debugs.includes(command)) return void (await startDebugging(result as vscode.DebugConfiguration));
    if (typeof result !== 'string' && command !== 'leveret.copyWitness') return;
    if (command === 'leveret.copyWitness') {
      const text = typeof result === 'string' ? result : JSON.stringify(result, null, 2);
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage('Leveret: copied the witness to the clipboard', 5000);
    } else if (command === 'leveret.doctor') {
      await this.show(result as string);
    } else if (command === 'leveret.exportTest') {
      await vscode.window.showTextDocument(vscode.Uri.parse(result as string), { preview: false });
    }
  }

  private async show(text: string) {
    this.report = text;
    const uri = vscode.Uri.from({ scheme, path: '/Leveret doctor' });
    this.changed.fire(uri);
    await vscode.window.showTextDocument(uri);
  }

  dispose() {
    this.provider.dispose();
    this.changed.dispose();
  }
}
