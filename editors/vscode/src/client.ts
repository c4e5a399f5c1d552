// The language client, with settings and workspace trust.
import * as vscode from 'vscode';
import {
  CloseAction, ErrorAction, ExecuteCommandRequest, LanguageClient,
  type DynamicFeature, type LanguageClientOptions, type Middleware, type StaticFeature,
} from 'vscode-languageclient/node';
import { serverSettings } from './configuration';

export function createClient(program: string, output: vscode.LogOutputChannel, died: () => void): Client {
  const options: LanguageClientOptions = {
    documentSelector: [{ language: 'solidity', scheme: 'file' }, { pattern: '**/*.sol', scheme: 'file' }, { language: 'solidity', scheme: 'untitled' }],
    initializationOptions: { ...serverSettings(), notifications: true, debugger: true, commandLinks: true },
    outputChannel: output,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue }),
      closed: () => {
        died();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    middleware,
    initializationFailedHandler: () => false, // start fails, and its caller tells the user
    markdown: { isTrusted: false },
  };
  return new Client('leveret', 'Leveret', { command: program, args: ['lsp'] }, options);
}

/** The library's client without the server's commands: the extension registers them, also while no server runs. */
export class Client extends LanguageClient {
  /** Whether the program could be started; it may have ended since. */
  launched = false;

  protected override async createMessageTransports(encoding: string) {
    const transports = await super.createMessageTransports(encoding);
    this.launched = true;
    return transports;
  }

  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>) {
    if ('registrationType' in feature && feature.registrationType.method === ExecuteCommandRequest.method) return;
    super.registerFeature(feature);
  }
}

const middleware: Middleware = {
  /** Removes the calls from the message: VS Code shows them as related information. */
  handleDiagnostics: (uri, diagnostics, next) => {
    for (const d of diagnostics) {
      if (d.relatedInformation?.length) d.message = d.message.replace(/\n1\. [^]*$/, '');
    }
    next(uri, diagnostics);
  },
  /**
   * Does not ask the server for what an action lacks that has a command: it lacks nothing. VS Code forgets the command if it lists the
   * actions anew while it waits.
   */
  resolveCodeAction: (action, token, next) => (action.command ? action : next(action, token)),
  workspace: {
    configuration: params =>
      params.items.map(item => (item.section === 'leveret' ? serverSettings(item.scopeUri ? vscode.Uri.parse(item.scopeUri) : undefined) : null)),
  },
};
