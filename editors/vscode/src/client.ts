// The language client: it starts the server, passes on settings and trust, and
// starts the server again when it dies.
import * as vscode from 'vscode';
import {
  CloseAction, ErrorAction, LanguageClient, type CloseHandlerResult, type ErrorHandler,
  type LanguageClientOptions, type Middleware,
} from 'vscode-languageclient/node';
import { serverSettings } from './configuration';

/** A server that dies this often within the time is left alone. */
const maxDeaths = 4;
const deathWindow = 3 * 60 * 1000;

export type Answer = (command: string, args: unknown[], result: unknown) => Promise<void>;

export function createClient(program: string, output: vscode.LogOutputChannel, answered: Answer): LanguageClient {
  const options: LanguageClientOptions = {
    documentSelector: [{ language: 'solidity', scheme: 'file' }, { pattern: '**/*.sol', scheme: 'file' }],
    initializationOptions: { ...serverSettings(), notifications: true },
    outputChannel: output,
    errorHandler: new Restarter(output),
    middleware: middleware(answered),
    markdown: { isTrusted: false },
  };
  return new LanguageClient('leveret', 'Leveret', { command: program, args: ['lsp'] }, options);
}

function middleware(answered: Answer): Middleware {
  return {
    executeCommand: async (command, args, next) => {
      const result = await next(command, args);
      await answered(command, args, result);
      return result;
    },
    workspace: {
      configuration: params =>
        params.items.map(item => (item.section === 'leveret' ? serverSettings(item.scopeUri ? vscode.Uri.parse(item.scopeUri) : undefined) : null)),
    },
  };
}

class Restarter implements ErrorHandler {
  private deaths: number[] = [];

  constructor(private readonly output: vscode.LogOutputChannel) {}

  error() {
    return { action: ErrorAction.Continue };
  }

  closed(): CloseHandlerResult {
    const now = Date.now();
    this.deaths = this.deaths.filter(t => now - t < deathWindow);
    this.deaths.push(now);
    if (this.deaths.length > maxDeaths) {
      void this.say('Leveret: the server ended again and again, so it is not started any more.', 'Restart Server');
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    void this.say('Leveret: the server ended unexpectedly and was started again.');
    return { action: CloseAction.Restart, handled: true };
  }

  private async say(message: string, ...more: string[]) {
    const choice = await vscode.window.showWarningMessage(message, ...more, 'Show Output');
    if (choice === 'Show Output') this.output.show();
    else if (choice) await vscode.commands.executeCommand('leveret.restart');
  }
}
