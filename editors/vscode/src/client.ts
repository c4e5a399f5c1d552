// The language client, with settings and workspace trust.
import * as vscode from 'vscode';
import {
  CloseAction, ErrorAction, ExecuteCommandRequest, LanguageClient,
  type DynamicFeature, type InitializeParams, type LanguageClientOptions, type Middleware, type StaticFeature,
} from 'vscode-languageclient/node';
import type { ActionCommands } from './actions';
import { serverSettings } from './configuration';

export function createClient(program: string, output: vscode.LogOutputChannel, actions: ActionCommands, died: () => void): Client {
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
    middleware: middleware(actions),
    initializationFailedHandler: () => false, // start fails, and its caller tells the user
    markdown: { isTrusted: false },
  };
  return new Client('leveret', 'Leveret', { command: program, args: ['lsp'] }, options);
}

/**
 * The library's client without two abilities. The extension registers the server's commands, also while no server runs. Code actions are
 * complete when they are listed: VS Code resolves none that was chosen while it lists them anew.
 */
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

  protected override fillInitializeParams(params: InitializeParams) {
    super.fillInitializeParams(params);
    delete params.capabilities.textDocument?.codeAction?.resolveSupport;
  }
}

const middleware = (bound: ActionCommands): Middleware => ({
  /** Removes the calls from the message: VS Code shows them as related information. */
  handleDiagnostics: (uri, diagnostics, next) => {
    for (const d of diagnostics) {
      if (d.relatedInformation?.length) d.message = d.message.replace(/\n1\. [^]*$/, '');
    }
    next(uri, diagnostics);
  },
  provideCodeActions: async (document, range, context, token, next) => {
    const actions = await next(document, range, context, token);
    bound.bind(actions ?? []);
    return actions;
  },
  resolveCodeAction: action => action, // complete already
  workspace: {
    configuration: params =>
      params.items.map(item => (item.section === 'leveret' ? serverSettings(item.scopeUri ? vscode.Uri.parse(item.scopeUri) : undefined) : null)),
  },
});
