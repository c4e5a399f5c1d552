// The view of a trace: the server writes the text, this adds links to the
// source and folding by indentation.
import * as path from 'node:path';
import * as vscode from 'vscode';

export const traceLanguage = 'leveret-trace';

/** A file with its line, absolute or below a folder of the workspace. */
const place = /((?:[A-Za-z]:)?[^\s:()"']+\.sol):(\d+)(?::(\d+))?/g;

export function registerTrace(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerDocumentLinkProvider(traceLanguage, { provideDocumentLinks: links }),
    vscode.languages.registerFoldingRangeProvider(traceLanguage, { provideFoldingRanges: folds }),
  );
}

function links(document: vscode.TextDocument): vscode.DocumentLink[] {
  const found: vscode.DocumentLink[] = [];
  for (let line = 0; line < document.lineCount; line++) {
    for (const match of document.lineAt(line).text.matchAll(place)) {
      const target = resolve(match[1]);
      if (!target) continue;
      const range = new vscode.Range(line, match.index, line, match.index + match[0].length);
      const at = match[3] ? `${match[2]},${match[3]}` : match[2];
      const link = new vscode.DocumentLink(range, target.with({ fragment: `L${at}` }));
      link.tooltip = 'Show the source';
      found.push(link);
    }
  }
  return found;
}

function resolve(file: string): vscode.Uri | undefined {
  if (path.isAbsolute(file)) return vscode.Uri.file(file);
  const folder = vscode.workspace.workspaceFolders?.[0];
  return folder && vscode.Uri.joinPath(folder.uri, file);
}

/** A line and what is indented more below it fold together. */
export function folds(document: vscode.TextDocument): vscode.FoldingRange[] {
  const ranges: vscode.FoldingRange[] = [];
  const open: { line: number; depth: number }[] = [];
  let last = 0;
  const close = (depth: number) => {
    while (open.length > 0 && open[open.length - 1].depth >= depth) {
      const start = open.pop()!.line;
      if (last > start) ranges.push(new vscode.FoldingRange(start, last));
    }
  };
  for (let line = 0; line < document.lineCount; line++) {
    const text = document.lineAt(line);
    if (text.isEmptyOrWhitespace) continue;
    const depth = text.firstNonWhitespaceCharacterIndex;
    close(depth);
    open.push({ line, depth });
    last = line;
  }
  close(0);
  return ranges;
}
