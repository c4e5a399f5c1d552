// Code actions that stay executable.
import * as vscode from 'vscode';

/** How many commands of actions are kept. A list of actions has a dozen. */
const kept = 1000;

/**
 * Commands without arguments for code actions. VS Code keeps the arguments of an action until it lists the actions anew, which it does
 * when diagnostics change, even if the user has chosen one and its command has not run yet.
 */
export class ActionCommands implements vscode.Disposable {
  private readonly registered = new Map<string, vscode.Disposable>();

  /** Replaces the commands of actions by some that have the same effect and no arguments. */
  bind(actions: (vscode.Command | vscode.CodeAction)[]) {
    for (const action of actions) {
      const command = action instanceof vscode.CodeAction ? action.command : action;
      if (command?.arguments?.length) command.command = this.register(command.command, command.arguments);
      if (command) delete command.arguments;
    }
  }

  /** Returns the name of the command that runs a command with arguments. A leading underscore hides it from lists of commands. */
  private register(command: string, args: unknown[]): string {
    const id = `_${command} ${JSON.stringify(args)}`;
    const known = this.registered.get(id);
    this.registered.delete(id); // and insert it as the latest
    this.registered.set(id, known ?? vscode.commands.registerCommand(id, () => vscode.commands.executeCommand(command, ...args)));
    for (const [oldest, registration] of this.registered) {
      if (this.registered.size <= kept) break;
      registration.dispose();
      this.registered.delete(oldest);
    }
    return id;
  }

  dispose() {
    for (const registration of this.registered.values()) registration.dispose();
  }
}
