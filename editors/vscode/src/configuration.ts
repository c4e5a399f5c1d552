// The settings for the server.
import * as vscode from 'vscode';

/** Settings that only the extension reads. */
const own = ['path', 'trace'];

/** The settings below "leveret". VS Code decides whether the workspace is trusted, not a settings file. */
export function serverSettings(scope?: vscode.Uri): Record<string, unknown> {
  const all = vscode.workspace.getConfiguration('leveret', scope);
  const settings: Record<string, unknown> = JSON.parse(JSON.stringify(all));
  for (const key of own) delete settings[key];
  settings.trusted = vscode.workspace.isTrusted;
  return settings;
}
