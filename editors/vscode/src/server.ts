// Starts and stops the server, and restarts it when it dies, up to a limit.
import * as vscode from 'vscode';
import { ExecuteCommandRequest, type LanguageClient } from 'vscode-languageclient/node';
import type { ActionCommands } from './actions';
import { createClient, type Client } from './client';
import { findProgram } from './program';
import type { StatusItem } from './status';

/** The server is not restarted after more deaths in a row than this, each soon (in ms) after its start. */
const maxDeaths = 4;
const soon = 3 * 60 * 1000;

export class Server {
  private client: LanguageClient | undefined;
  private deaths = 0; // in a row
  private began = 0; // when the server was started last
  /** Starts and stops, one after the other. */
  private turn: Promise<void> = Promise.resolve();

  /** Listen is called with each client before it starts. */
  constructor(
    private readonly extension: string, // the extension's folder
    private readonly output: vscode.LogOutputChannel,
    private readonly status: StatusItem,
    private readonly actions: ActionCommands,
    private readonly listen: (client: LanguageClient) => void,
  ) {}

  start(): Promise<void> {
    return this.after(() => this.begin());
  }

  stop(): Promise<void> {
    return this.after(() => this.end());
  }

  restart(): Promise<void> {
    void this.stop();
    return this.start();
  }

  /** Runs a command of the server. */
  async execute(command: string, ...args: unknown[]): Promise<unknown> {
    const client = this.client;
    if (!client?.isRunning()) throw new Error('the server is not running');
    return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
  }

  private after(act: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(act).catch(error => this.output.error(String(error)));
    return this.turn;
  }

  private async begin() {
    const program = this.program();
    if (!program || this.client) return;
    this.output.info(`the server is ${program}`);
    this.status.say('starting', true);
    this.began = Date.now();
    let died = () => {};
    const dead = new Promise<void>(resolve => (died = resolve));
    const client: Client = createClient(program, this.output, this.actions, () => {
      died();
      this.onServerDeath(client);
    });
    this.client = client;
    this.listen(client);
    try {
      await Promise.race([client.start(), dead]);
      if (this.client === client) this.status.say('ready');
    } catch (error) {
      if (this.client !== client) return; // the server died, and onServerDeath reported it
      this.output.error(String(error));
      if (client.launched) return this.onServerDeath(client); // writing to it failed before its death was noticed
      this.client = undefined;
      this.status.say('not running');
      void this.complain(`Leveret: ${program} could not be started; see the output.`);
    }
  }

  private async end() {
    const client = this.client;
    this.client = undefined;
    this.status.say('stopped');
    if (client?.needsStop()) await client.stop().catch(error => this.output.warn(String(error)));
  }

  /** Replaces a client whose server died. */
  private onServerDeath(client: LanguageClient) {
    if (this.client !== client) return;
    this.client = undefined;
    this.status.say('stopped');
    this.deaths = Date.now() - this.began < soon ? this.deaths + 1 : 1;
    if (this.deaths > maxDeaths) {
      this.deaths = 0;
      void this.warn('Leveret: the server ended repeatedly and was not restarted.', 'Restart Server');
      return;
    }
    void this.warn('Leveret: the server ended unexpectedly and was restarted.');
    void this.start();
  }

  /** Finds the server's program, or shows an error. */
  private program(): string | undefined {
    const found = findProgram(this.extension);
    if (!found.path) {
      this.status.say('not installed', false, 'The program `leveret` was not found.');
      this.output.warn(`leveret not found; tried:\n${found.tried.join('\n')}`);
      void this.complain('Leveret: the program `leveret` was not found. Put it into PATH or set "leveret.path".');
    }
    return found.path;
  }

  private async complain(message: string) {
    const choice = await vscode.window.showErrorMessage(message, 'Open Settings', 'Show Output');
    if (choice === 'Open Settings') await vscode.commands.executeCommand('workbench.action.openSettings', 'leveret.path');
    if (choice === 'Show Output') this.output.show();
  }

  private async warn(message: string, ...more: string[]) {
    const choice = await vscode.window.showWarningMessage(message, ...more, 'Show Output');
    if (choice === 'Show Output') this.output.show();
    else if (choice) await this.restart();
  }
}
