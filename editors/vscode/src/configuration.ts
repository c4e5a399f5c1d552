// What the server is told of the settings.
import * as vscode from 'vscode';

/** Settings that only the extension reads. */
const own = ['path', 'trace'];

/**
 * The settings below "leveret" as the server wants them. Whether the workspace
 * is trusted is VS Code's to say, whatever a file says.
 */
export function serverSettings(scope?: vscode.Uri): Record<string, unknown> {
  const all = vscode.workspace.getConfiguration('leveret', scope);
  const settings: Record<string, unknown> = JSON.parse(JSON.stringify(all));
  for (const key of own) delete settings[key];
  settings.trusted = vscode.workspace.isTrusted;
  return settings;
}
