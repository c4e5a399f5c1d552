// The program `leveret` of this window, for the server and the debug adapter.
import * as vscode from 'vscode';
import { findBinary, type Found } from './binary';

/** Finds the program; extension is the extension's folder. */
export function findProgram(extension: string): Found {
  return findBinary({
    setting: vscode.workspace.getConfiguration('leveret').get('path', ''),
    search: process.env.PATH ?? '',
    untrusted: vscode.workspace.isTrusted ? [] : (vscode.workspace.workspaceFolders ?? []).map(folder => folder.uri.fsPath),
    extension,
  });
}
